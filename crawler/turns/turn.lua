-- Takes the turn of a host.
-- KEYS: until when the host is taken; the places of its requests in progress, by the moment at which they are given up.
-- ARGV: milliseconds of the delay, places, milliseconds of a place, token.
-- Returns 0 if it is taken, the milliseconds until the host is free, or -1 if it has no place.
local left = redis.call('PTTL', KEYS[1])
if left > 0 then
  return left
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[2]) then
  return -1
end
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 0
