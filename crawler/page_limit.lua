-- Adds pages to the count that the nodes of a crawl share, and returns it. The count begins again when no node is left.
-- KEYS: nodes by the end of their leases, count.  ARGV: node, seconds of its lease (0: it leaves), pages.
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) == 0 then
  redis.call('DEL', KEYS[2])
end
local count = redis.call('INCRBY', KEYS[2], ARGV[3])
if tonumber(ARGV[2]) > 0 then
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  redis.call('EXPIRE', KEYS[2], ARGV[2])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
  if redis.call('ZCARD', KEYS[1]) == 0 then
    redis.call('DEL', KEYS[2])
  end
end
return count
