-- What operators see. Wanted: {"accounts" | "hosts" | "nodes" | "leased" | "dead"}

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
    local queued = call('ZCARD', HOST .. host) + (delayed[host] or 0)
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

return VIEWS[cmsgpack.unpack(ARGV[2])[1]]()
