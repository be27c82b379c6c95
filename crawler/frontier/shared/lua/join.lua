-- A node joins.
--
-- Arguments: {node, an identity for the crawl if it has none, lease seconds, delay, concurrency, whether to delete an
-- unfinished crawl too, whether this is the whole crawl}
-- Reply: {identity, queued, leased, done, dead}, with the counts found. A finished crawl without active nodes is deleted, so
-- that its pages are visited again, but not a single shard of a crawl.

local node, identity, lease_seconds, delay, concurrency, afresh, whole = unpack(cmsgpack.unpack(ARGV[2]))
call('HSET', MAIN, 'delay', delay, 'concurrency', concurrency)
reap()
place_touched()
write_counters()

local others = call('ZCARD', NODES)
if others == 0 then call('DEL', PACE, HOURS) end  -- this node sends its own, which may have changed
local queued, leased, done, dead = accounts()
if others == 0 and (afresh or (whole and queued == 0 and leased == 0 and done + dead > 0)) then
  forget()
end
call('ZADD', NODES, now + lease_seconds, node)
begin(identity)
return {call('HGET', MAIN, 'crawl'), queued, leased, done, dead}
