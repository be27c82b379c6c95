-- Views for operators. Arguments: {"accounts" | "hosts" | "nodes" | "leased" | "dead"}, {"find", key, key as text, host}, or
-- {"overflow", host, first, count}

local VIEWS = {}

function VIEWS.accounts()
  return {accounts()}
end

function VIEWS.hosts()
  local dead, names = {}, {}
  for _, packed in ipairs(call('HVALS', DEAD)) do
    local host = cmsgpack.unpack(packed)[1]
    dead[host], names[host] = (dead[host] or 0) + 1, true
  end
  local delayed = {}
  for _, packed in ipairs(call('ZRANGE', DELAYED, 0, -1)) do
    local host = cmsgpack.unpack(packed)[1]
    delayed[host], names[host] = (delayed[host] or 0) + 1, true
  end
  for _, host in ipairs(call('SMEMBERS', HOSTS)) do names[host] = true end
  for _, host in ipairs(call('HKEYS', ACTIVE)) do names[host] = true end
  local found = {}
  for host in pairs(names) do
    local packed = tonumber(call('HGET', PACKED, host) or 0)
    local queued = call('ZCARD', HOST .. host) + packed + (delayed[host] or 0)
    found[#found + 1] = {host, queued, tonumber(call('HGET', ACTIVE, host) or 0), dead[host] or 0}
  end
  return found
end

function VIEWS.nodes()
  local found = {}
  local nodes = call('ZRANGE', NODES, 0, -1, 'WITHSCORES')
  for place_ = 1, #nodes, 2 do
    local left = string.format('%.3f', tonumber(nodes[place_ + 1]) - now)
    found[#found + 1] = {nodes[place_], call('HLEN', LEASE .. nodes[place_]), left}
  end
  return found
end

function VIEWS.leased()
  local found = {}
  for _, node in ipairs(call('ZRANGE', NODES, 0, -1)) do
    for _, packed in ipairs(call('HVALS', LEASE .. node)) do
      local held = cmsgpack.unpack(packed)
      found[#found + 1] = {held[1], string.sub(held[3], 16), node, string.format('%.6f', held[4])}
    end
  end
  return found
end

function VIEWS.dead()
  local found = {}
  for _, packed in ipairs(call('HVALS', DEAD)) do
    local host, _, member, reason = unpack(cmsgpack.unpack(packed))
    found[#found + 1] = {member, host, reason}
  end
  return found
end

-- Reply: the number of requests in the head, and some blocks, best first.
function VIEWS.overflow(host, first, count_)
  local found = {call('ZCARD', HOST .. host)}
  for _, block_ref in ipairs(call('ZRANGE', OVERFLOW .. host, first, first + count_ - 1)) do
    found[#found + 1] = call('HGET', BLOCK .. host, string.sub(block_ref, 7, 14))
  end
  return found
end

local function queued_of(key, host)
  local first = 0
  while true do
    local part = call('ZRANGE', HOST .. host, first, first + AT_ONCE - 1, 'WITHSCORES')
    for place_ = 1, #part, 2 do
      if string.sub(part[place_], 8, 15) == key then
        local due = call('ZSCORE', WAITING, host)
        local before = first + (place_ - 1) / 2
        return {'queued', part[place_], -tonumber(part[place_ + 1]), '', '', '0', due or '0', before}
      end
    end
    if #part < 2 * AT_ONCE then return nil end
    first = first + AT_ONCE
  end
end

-- Reply: {state, member, priority, reason, owner, since, due, number of the host's requests before it}
function VIEWS.find(key, key_text, host)
  local found = queued_of(key, host)
  if found then return found end
  for _, node in ipairs(call('ZRANGE', NODES, 0, -1)) do
    for _, packed in ipairs(call('HVALS', LEASE .. node)) do
      local held = cmsgpack.unpack(packed)
      if string.sub(held[3], 8, 15) == key then
        return {'leased', held[3], held[2], '', node, string.format('%.6f', held[4]), '0', 0}
      end
    end
  end
  local delayed = call('ZRANGE', DELAYED, 0, -1, 'WITHSCORES')
  for place_ = 1, #delayed, 2 do
    local _, priority, member, reason = unpack(cmsgpack.unpack(delayed[place_]))
    if string.sub(member, 8, 15) == key then
      return {'delayed', member, priority, reason or '', '', '0', delayed[place_ + 1], 0}
    end
  end
  for _, packed in ipairs(call('HVALS', DEAD)) do
    local _, priority, member, reason = unpack(cmsgpack.unpack(packed))
    if string.sub(member, 8, 15) == key then return {'dead', member, priority, reason, '', '0', '0', 0} end
  end
  if call('SISMEMBER', seen_key(key), key_text) == 1 then return {'seen', '', 0, '', '', '0', '0', 0} end
  return {}
end

local wanted = cmsgpack.unpack(ARGV[2])
return VIEWS[wanted[1]](unpack(wanted, 2))
