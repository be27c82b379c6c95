-- A node of a watch says that it lives, gives slots back, and takes free ones up to its fair part.
--
-- KEYS[1] names the watch; ARGV: the time in seconds, "" for the server's own clock; the node; seconds for which it holds
-- its slots from now on; the number of slots; 1 if it leaves; its weight; its weight times its margin; the number of slots
-- that it gives back and these; nodes that are known to have died.
--
--   <watch>:nodes    sorted set: node -> when it is believed dead
--   <watch>:slots    hash: slot -> node
--   <watch>:weights  hash: node -> weight, weight times margin
--
-- Returns the node's slots, how many it should give back, the sum of all weights and of all weighted margins, and the number
-- of nodes.

local NODES, SLOTS, WEIGHTS = KEYS[1] .. ':nodes', KEYS[1] .. ':slots', KEYS[1] .. ':weights'
local call = redis.call
local now = tonumber(ARGV[1])
if not now then
  local time = call('TIME')
  now = tonumber(time[1]) + tonumber(time[2]) / 1e6
end
local node, count = ARGV[2], tonumber(ARGV[4])

local function forget(name)
  call('ZREM', NODES, name)
  call('HDEL', WEIGHTS, name)
end

local given = tonumber(ARGV[8])
for place = 9, 8 + given do
  if call('HGET', SLOTS, ARGV[place]) == node then call('HDEL', SLOTS, ARGV[place]) end
end
for place = 9 + given, #ARGV do forget(ARGV[place]) end
for _, name in ipairs(call('ZRANGEBYSCORE', NODES, '-inf', now)) do
  if name ~= node then forget(name) end
end
if ARGV[5] == '1' then
  forget(node)
else
  call('ZADD', NODES, now + tonumber(ARGV[3]), node)
  call('HSET', WEIGHTS, node, ARGV[6] .. ' ' .. ARGV[7])
end

local nodes, alive = call('ZRANGE', NODES, 0, -1), {}
for _, name in ipairs(nodes) do alive[name] = true end
local owners, all, mine, free = {}, call('HGETALL', SLOTS), {}, {}
for place = 1, #all, 2 do owners[all[place]] = all[place + 1] end
for slot = 0, count - 1 do
  local owner = owners[tostring(slot)]
  if owner == node and alive[node] then
    mine[#mine + 1] = slot
  elseif not owner or not alive[owner] then
    free[#free + 1] = slot
  end
end
local fair = math.ceil(count / math.max(1, #nodes))
if alive[node] then
  while #mine < fair and #free > 0 do
    local slot = table.remove(free, 1)
    call('HSET', SLOTS, slot, node)
    mine[#mine + 1] = slot
  end
end
local weights, margins = 0, 0
for _, text in ipairs(call('HVALS', WEIGHTS)) do
  local weight, margin = string.match(text, '(%S+) (%S+)')
  weights, margins = weights + tonumber(weight), margins + tonumber(margin)
end
return {mine, math.max(0, #mine - fair), tostring(weights), tostring(margins), #nodes}
