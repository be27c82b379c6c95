-- Shared by all scripts: names of keys, and the transitions of a request between queued, leased, delayed and dead.
--
-- KEYS are those of `crawl_keys` in `server.py`, in its order. Keys of one host, node or bucket follow from data that only
-- the server has (the next ready host, dead nodes, the number of buckets). They begin with KEYS[1] or KEYS[2],
-- so the hash tag in both keeps a shard in one slot of a Redis Cluster. KEYS[2] is never a key itself: a cluster
-- refuses a script (TRYAGAIN) with present and absent keys of a slot that is being moved, so none runs on half a shard.
-- ARGV[1] is the time in seconds, "" for the server's own clock; ARGV[2] is a msgpack of the script's arguments.
--
--   <queue>            hash: counters (turn, number, queued, leased, done, dead), the crawl's identity, delay and
--                      default concurrency of hosts, the number of each node's last batch
--   <queue>:host:<h>   sorted set: -priority -> number (6 bytes), attempts (1), key (8), payload; the head of the host's
--                      queue, or all of a short queue
--   <queue>:overflow:<h>  sorted set: -band -> reference of a block of further requests, none in a higher band: number of
--                      the first (6), name of the block (8), count (2), and 2 bytes of the key of each movable request
--   <queue>:block:<h>  hash: name of a block -> its requests (`overflow/blocks.py`)
--   <queue>:packed     hash: host -> number of requests in its blocks
--   <queue>:to_pack    sorted set: hosts whose head is too long, by the time at which a node may be asked to pack a part
--   <queue>:to_unpack  sorted set: hosts whose head is nearly used up while they have blocks, likewise
--   <queue>:to_promote  sorted set: promotions of packed requests (host, key, priority), likewise
--   <queue>:hosts      set: hosts with queued requests
--   <queue>:ready      sorted set: available hosts, by band of priority, then by turn
--   <queue>:waiting    sorted set: hosts that must wait, by the end of the wait
--   <queue>:active     hash: host -> requests under way
--   <queue>:pace       hash: host -> own delay and concurrency, and a name if it has hours
--   <queue>:hours      hash: name -> start and end of each span of the coming days, in order
--   <queue>:asleep     sorted set: hosts with queued requests outside their hours, by the time at which they open
--   <queue>:nodes      sorted set: node -> expiry of its leases
--   <queue>:lease:<n>  hash: lease -> host, priority, member, since, attempt, and true if the page is fetched and waits
--                      for its links
--   <queue>:delayed    sorted set: failed requests, by the time at which they are due
--   <queue>:places     hash: key of a queued movable request -> number (6 bytes), priority
--   <queue>:dead       hash: number -> host, priority, member, reason
--   <seen>:<n>         set of 64-bit numbers; in sets of at most 512 integers each takes 8 bytes, so their number grows
--                      with the crawl (linear hashing); it is `buckets` of <queue>

local MAIN, SEEN, HOSTS, READY, WAITING, ACTIVE, PACE, HOURS, ASLEEP, NODES, DELAYED, PLACES, DEAD, PACKED, TO_PACK,
  TO_UNPACK, TO_PROMOTE = unpack(KEYS)
local HOST, LEASE, OVERFLOW, BLOCK = MAIN .. ':host:', MAIN .. ':lease:', MAIN .. ':overflow:', MAIN .. ':block:'
local BAND, SPAN, MAX_BAND = 100, 2 ^ 38, 2 ^ 13
local IN_HEADS, SHORTEST_HEAD, LONGEST_HEAD = 2400000, 24, 1024
local AT_ONCE = 1000
local UNKNOWN_HOURS_WAIT = 60
local MAX_LOST_LEASES = 20  -- a request whose holders died this often is given up, as it may have killed them

local FIRST_BUCKETS, HASHES = 64, 2 ^ 28

local call = redis.call

local now = tonumber(ARGV[1])
if not now then
  local time = call('TIME')
  now = tonumber(time[1]) + tonumber(time[2]) / 1e6
end

local changes = {}
local function count(name, by)
  changes[name] = (changes[name] or 0) + by
end

local function write_counters()
  for name, by in pairs(changes) do
    if by ~= 0 then call('HINCRBY', MAIN, name, by) end
  end
  changes = {}
end

local function accounts()
  local state = call('HMGET', MAIN, 'queued', 'leased', 'done', 'dead')
  return tonumber(state[1] or 0), tonumber(state[2] or 0), tonumber(state[3] or 0), tonumber(state[4] or 0)
end

local buckets
local function bucket_count()
  buckets = buckets or tonumber(call('HGET', MAIN, 'buckets') or FIRST_BUCKETS)
  return buckets
end

-- The number of buckets before the current round of splits.
local function old_half()
  return 2 ^ math.floor(math.log(bucket_count()) / math.log(2) + 1e-9)
end

-- The seen-set's key for a request's key of 8 bytes.
local function seen_key(raw_key)
  local half = old_half()
  local bucket = struct.unpack('>I4', raw_key, 5) % (2 * half)
  if bucket >= buckets then bucket = bucket - half end
  return SEEN .. string.format(':%d', bucket)
end

local common_pace, own_paces
-- Seconds between two requests to the host, its maximum of concurrent requests, and the name of its hours, if any.
local function pace_of(host)
  if not common_pace then
    local stored = call('HMGET', MAIN, 'delay', 'concurrency')
    common_pace = {tonumber(stored[1] or 1), tonumber(stored[2] or 1)}
    own_paces = call('EXISTS', PACE) == 1
  end
  local own = own_paces and call('HGET', PACE, host)
  return unpack(own and cmsgpack.unpack(own) or common_pace)
end

local known_hours = {}
-- When the host is next open by its hours. A host waits for hours that no node has sent yet.
local function opens_at(host)
  local _, _, name = pace_of(host)
  if not name then return now end
  if not known_hours[name] then
    local stored = call('HGET', HOURS, name)
    known_hours[name] = stored and cmsgpack.unpack(stored) or {}
  end
  local spans = known_hours[name]
  for place_ = 1, #spans, 2 do
    if now < spans[place_ + 1] then return math.max(now, spans[place_]) end
  end
  return now + UNKNOWN_HOURS_WAIT
end

local function put_to_sleep(host, opens)
  call('ZREM', READY, host)
  call('ZADD', WAITING, opens, host)
  call('ZADD', ASLEEP, opens, host)
end

local head_limit
-- Requests of a host beyond this number are packed; it falls with the number of hosts, so that all heads together stay small.
local function longest_head()
  if not head_limit then
    local hosts = math.max(1, call('SCARD', HOSTS))
    head_limit = math.max(SHORTEST_HEAD, math.min(LONGEST_HEAD, math.floor(IN_HEADS / hosts)))
  end
  return head_limit
end

local overflow_exists
-- The band of the host's best block, nil if it has none.
local function band_of_overflow(host)
  if overflow_exists == nil then overflow_exists = call('EXISTS', PACKED) == 1 end
  local best = overflow_exists and call('ZRANGE', OVERFLOW .. host, 0, 0, 'WITHSCORES')
  return best and best[1] and -tonumber(best[2])
end

-- Whether fewer requests than a quarter of the head's capacity come before all blocks.
local function needs_unpack(host, block_band)
  local before = call('ZCOUNT', HOST .. host, '-inf', string.format('%.17g', -block_band * BAND))
  return before < longest_head() / 8
end

local function plan_overflow_work(host, block_band)
  if block_band and needs_unpack(host, block_band) then call('ZADD', TO_UNPACK, 'NX', now, host) end
  if call('ZCARD', HOST .. host) > longest_head() then call('ZADD', TO_PACK, 'NX', now, host) end
end

-- Updates the state of a host: ready, waiting, or none while it is at its limit, has nothing queued, or its best requests are
-- still packed.
local function place(host, to_the_back)
  local best = call('ZRANGE', HOST .. host, 0, 0, 'WITHSCORES')
  local own_band, block_band = best[1] and math.floor(-tonumber(best[2]) / BAND), band_of_overflow(host)
  if not (own_band or block_band) then
    call('ZREM', READY, host)
    call('SREM', HOSTS, host)
    return
  end
  plan_overflow_work(host, block_band)
  local _, concurrency = pace_of(host)
  local is_packed = block_band and (not own_band or own_band < block_band)
  if is_packed or call('ZSCORE', WAITING, host) or tonumber(call('HGET', ACTIVE, host) or 0) >= concurrency then
    call('ZREM', READY, host)
    return
  end
  local opens = opens_at(host)
  if opens > now then
    put_to_sleep(host, opens)
    return
  end
  local band = math.max(-MAX_BAND, math.min(MAX_BAND, own_band))
  local held = not to_the_back and call('ZSCORE', READY, host)
  local turn = held and tonumber(held) % SPAN or call('HINCRBY', MAIN, 'turn', 1)
  call('ZADD', READY, turn - band * SPAN, host)
end

local touched = {}
local function place_touched()
  for host in pairs(touched) do place(host, false) end
  touched = {}
end

local function queue(host, priority, member)
  call('ZADD', HOST .. host, -priority, member)
  if not touched[host] then
    call('SADD', HOSTS, host)
    touched[host] = true
  end
  count('queued', 1)
end

-- The same member with another number of attempts.
local function with_attempts(member, attempts)
  return string.sub(member, 1, 6) .. string.char(attempts) .. string.sub(member, 8)
end

local function free_host(host)
  if call('HINCRBY', ACTIVE, host, -1) <= 0 then call('HDEL', ACTIVE, host) end
  touched[host] = true
end

-- Removes and returns a valid lease: host, priority, member, since, attempt; nil if it is not valid.
local function take_lease(node, lease)
  local packed = call('HGET', LEASE .. node, lease)
  if not packed then return nil end
  call('HDEL', LEASE .. node, lease)
  local held = cmsgpack.unpack(packed)
  if not held[6] then free_host(held[1]) end
  count('leased', -1)
  return held
end

local function give_back(node, lease)
  local held = take_lease(node, lease)
  if held then queue(held[1], held[2], with_attempts(held[3], held[5] - 1)) end
end

local function bury_request(held, reason)
  call('HSET', DEAD, string.sub(held[3], 1, 6), cmsgpack.pack({held[1], held[2], held[3], reason}))
  count('dead', 1)
end

-- Requeues the leases of a dead node.
local function dismiss(node)
  for _, lease in ipairs(call('HKEYS', LEASE .. node)) do
    local held = take_lease(node, lease)
    if held[5] >= MAX_LOST_LEASES then
      bury_request(held, 'each process that held it has died')
    else
      queue(held[1], held[2], held[3])
    end
  end
  call('ZREM', NODES, node)
  call('HDEL', MAIN, 'batch:' .. node)
end

local function reap()
  for _, node in ipairs(call('ZRANGEBYSCORE', NODES, '-inf', now)) do dismiss(node) end
end

-- The next ready host; ready hosts whose hours have ended are put to sleep.
local function next_ready()
  for _ = 1, AT_ONCE do
    local host = call('ZRANGE', READY, 0, 0)[1]
    if not host then return nil end
    local opens = opens_at(host)
    if opens <= now then return host end
    put_to_sleep(host, opens)
  end
end

-- Wakes due hosts and failed requests; few per call, to keep it short.
local function wake()
  local due = call('ZRANGEBYSCORE', WAITING, '-inf', now, 'LIMIT', 0, AT_ONCE)
  for _, host in ipairs(due) do
    call('ZREM', WAITING, host)
    call('ZREM', ASLEEP, host)
    touched[host] = true
  end
  for _, packed in ipairs(call('ZRANGEBYSCORE', DELAYED, '-inf', now, 'LIMIT', 0, AT_ONCE)) do
    call('ZREM', DELAYED, packed)
    count('queued', -1)
    queue(unpack(cmsgpack.unpack(packed)))
  end
  place_touched()
end
