-- Deletes the crawl: queue, leases, dead requests and seen-set. Nodes, paces and hours of hosts stay. Returns the number of
-- its requests.

local function unlink_all(names)
  for first = 1, #names, AT_ONCE do
    call('UNLINK', unpack(names, first, math.min(first + AT_ONCE - 1, #names)))
  end
end

local function forget()
  local queued, leased, _, dead = accounts()
  local names = {READY, WAITING, ACTIVE, ASLEEP, DELAYED, DEAD, PLACES, HOSTS, PACKED, TO_PACK, TO_UNPACK, TO_PROMOTE}
  for _, host in ipairs(call('SMEMBERS', HOSTS)) do names[#names + 1] = HOST .. host end
  for _, host in ipairs(call('HKEYS', PACKED)) do
    names[#names + 1], names[#names + 2] = OVERFLOW .. host, BLOCK .. host
  end
  for _, node in ipairs(call('ZRANGE', NODES, 0, -1)) do names[#names + 1] = LEASE .. node end
  for bucket = 0, bucket_count() - 1 do names[#names + 1] = SEEN .. ':' .. bucket end
  unlink_all(names)
  call('HDEL', MAIN, 'crawl', 'buckets', 'turn', 'number', 'queued', 'leased', 'done', 'dead')
  changes, touched, buckets, overflow_exists = {}, {}, nil, false
  return queued + leased + dead
end

-- Creates a missing crawl with this identity; false if it exists.
local function begin(identity)
  if call('HSETNX', MAIN, 'crawl', identity) == 0 then return false end
  call('HSET', MAIN, 'buckets', FIRST_BUCKETS)
  return true
end
