-- A node comes in.
--
-- Wanted: {node, an identity for the crawl if it has none, lease seconds, delay, concurrency, whether to forget an
-- unfinished crawl too, whether this is the whole crawl}
-- Reply: {identity, queued, leased, done, dead}; the accounts are those that were found. A crawl that is finished, with
-- nobody at work, is forgotten, so that its pages are visited again; of a crawl in several shards no shard alone.

local node, identity, lease_seconds, delay, concurrency, afresh, whole = unpack(cmsgpack.unpack(ARGV[2]))
call('HSET', MAIN, 'delay', delay, 'concurrency', concurrency)
reap()
place_touched()
write_counters()

local others = call('ZCARD', NODES)
if others == 0 then call('DEL', PACE, HOURS) end  -- this node sends its own, which may have changed since
local queued, leased, done, dead = accounts()
if others == 0 and (afresh or (whole and queued == 0 and leased == 0 and done + dead > 0)) then
  forget()
end
call('ZADD', NODES, now + lease_seconds, node)
begin(identity)
return {call('HGET', MAIN, 'crawl'), queued, leased, done, dead}
