-- Takes start URLs from a list, set or sorted set, like scrapy-redis; they are set aside until the node confirms that they are
-- in the frontier.
--
-- KEYS[1]: start URLs. KEYS[2]: taken ones. ARGV: "take", node, kind, count, seconds until unconfirmed ones are put back; or
-- "confirm", node. Reply: the taken ones, or the number confirmed.

local call = redis.call
local START, UNCONFIRMED = KEYS[1], KEYS[2]
local time = call('TIME')
local now = tonumber(time[1])

if ARGV[1] == 'confirm' then return call('HDEL', UNCONFIRMED, ARGV[2]) end

local kind, count, seconds = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])

local function put_back(values)
  for _, value in ipairs(values) do
    if kind == 'set' then
      call('SADD', START, value)
    elseif kind == 'zset' then
      call('ZADD', START, 0, value)
    else
      call('RPUSH', START, value)
    end
  end
end

local function take()
  if kind == 'set' then return call('SPOP', START, count) end
  local values
  if kind == 'zset' then
    values = call('ZREVRANGE', START, 0, count - 1)
    if #values > 0 then call('ZREM', START, unpack(values)) end
  else
    values = call('LRANGE', START, 0, count - 1)
    call('LTRIM', START, count, -1)
  end
  return values
end

local kept = call('HGETALL', UNCONFIRMED)
for place = 1, #kept, 2 do
  local due, values = unpack(cmsgpack.unpack(kept[place + 1]))
  if due <= now or kept[place] == ARGV[2] then
    call('HDEL', UNCONFIRMED, kept[place])
    put_back(values)
  end
end
local values = take()
if #values > 0 then call('HSET', UNCONFIRMED, ARGV[2], cmsgpack.pack({now + seconds, values})) end
return values
