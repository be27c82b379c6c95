-- KEYS: a sorted set of visitors by the end of their bans. ARGV: pairs of milliseconds and visitor.
-- Returns pairs of visitor and milliseconds left, of at most 10,000 active bans.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
for place = 1, #ARGV, 2 do
  redis.call('ZADD', KEYS[1], 'GT', now + tonumber(ARGV[place]), ARGV[place + 1])
end
local found = redis.call('ZRANGE', KEYS[1], 0, 9999, 'WITHSCORES')
for place = 2, #found, 2 do
  found[place] = tostring(math.floor(tonumber(found[place]) - now))
end
return found
