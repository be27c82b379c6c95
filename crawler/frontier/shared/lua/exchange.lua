-- One round trip of a node: takes its results, and returns new leases.
--
-- Arguments: {node, identity of the crawl, lease seconds, batch number, pushes, acks, failures, given back, how many to pop,
-- known leases or false, most attempts, promotions, leases of fetched pages that wait for their links}
-- Reply: {"ok", accepted, held, leases, wait, queued, leased, done, dead, promoted, seconds
-- until the first sleeping host opens or -1, whether overflow needs work (`work.lua`)} or {"lost"} or {"other", identity}.
-- A batch that was executed before (its reply was lost) is not executed again; its leases are returned again. Leases are
-- numbered by batch, so that a server that has lost its last second cannot use a number twice.

local node, identity, lease_seconds, number, pushes, acks, failures, given, wanted, known, max_attempts, promotions, parked =
  unpack(cmsgpack.unpack(ARGV[2]))

local FULL_BUCKET = 384  -- by default Redis stores sets of up to 512 integers as arrays

local present = call('HGET', MAIN, 'crawl')
if not present then return {'lost'} end
if present ~= identity then return {'other', present} end

call('HINCRBY', MAIN, 'turn', 0)  -- if memory is short, this fails before any change
reap()
call('ZADD', NODES, now + lease_seconds, node)

local accepted, held, promoted = {}, 0, 0

-- The member with this number among those of one host and one priority, which are sorted by number.
local function member_of(host, priority, wanted_number)
  local first = call('ZCOUNT', HOST .. host, '-inf', '(' .. string.format('%.17g', -priority))
  local last = first + call('ZCOUNT', HOST .. host, -priority, -priority) - 1
  while first <= last do
    local middle = math.floor((first + last) / 2)
    local member = call('ZRANGE', HOST .. host, middle, middle)[1]
    local number_ = struct.unpack('>I6', member)
    if number_ == wanted_number then return member end
    if number_ < wanted_number then first = middle + 1 else last = middle - 1 end
  end
end

-- Raises the priority of a queued request; for a packed one once a node has unpacked it.
local function promote(host, raw_key, priority)
  local place_ = call('HGET', PLACES, raw_key)
  local old = place_ and tonumber(string.sub(place_, 7))
  if not old and blocks_with(host, raw_key, priority)[1] and call('ZCARD', TO_PROMOTE) < MAX_PROMOTIONS then
    call('ZADD', TO_PROMOTE, 'NX', now, cmsgpack.pack({host, raw_key, priority}))
  end
  if not old or priority <= old then return end
  local member = member_of(host, old, (struct.unpack('>I6', place_)))
  if not member then return end
  call('ZADD', HOST .. host, -priority, member)
  call('HSET', PLACES, raw_key, string.sub(place_, 1, 6) .. priority)
  touched[host] = true
  promoted = promoted + 1
end

-- The low bits of a number in decimal digits, which may exceed the precision of a double.
local function hash_of(key)
  local digits, value = string.match(key, '%d+'), 0
  for first = 1, #digits, 7 do
    local some = string.sub(digits, first, first + 6)
    value = (value * 10 ^ #some + tonumber(some)) % HASHES
  end
  return string.byte(key) == 45 and (HASHES - value) % HASHES or value
end

-- Splits the next buckets while they are full. Keys are distributed evenly, so that one bucket represents all.
local function grow_seen(at_most)
  for _ = 1, at_most do
    local half = old_half()
    local old, new = SEEN .. string.format(':%d', buckets - half), SEEN .. string.format(':%d', buckets)
    if buckets >= HASHES or call('SCARD', old) <= FULL_BUCKET then return end
    local stay, go = {}, {}
    for _, key in ipairs(call('SMEMBERS', old)) do
      local list = hash_of(key) % (2 * half) == buckets and go or stay
      list[#list + 1] = key
    end
    call('DEL', old)
    if stay[1] then call('SADD', old, unpack(stay)) end
    if go[1] then call('SADD', new, unpack(go)) end
    buckets = buckets + 1
    call('HSET', MAIN, 'buckets', buckets)
  end
end

local function push_all()
  if #pushes == 0 then return end
  local numbers = call('HINCRBY', MAIN, 'number', #pushes) - #pushes
  for place_, entry in ipairs(pushes) do
    local key, raw_key, host, priority, payload, again, movable = unpack(entry)
    local fresh = call('SADD', seen_key(raw_key), key) == 1
    if payload ~= '' and (fresh or again) then
      local number_ = struct.pack('>I6', numbers + place_)
      queue(host, priority, number_ .. '\0' .. raw_key .. payload)
      if movable then call('HSET', PLACES, raw_key, number_ .. priority) end
      accepted[place_] = 1
    else
      if movable then promote(host, raw_key, priority) end
      accepted[place_] = 0
    end
  end
  grow_seen(math.ceil(#pushes / 50))
end

local function fail(lease, reason, pause)
  local old = take_lease(node, lease)
  if not old then return end
  local host, priority, member, _, attempt = unpack(old)
  if attempt >= max_attempts then
    bury_request(old, reason)
  elseif pause > 0 then
    call('ZADD', DELAYED, now + pause, cmsgpack.pack({host, priority, member, reason}))
    count('queued', 1)
  else
    queue(host, priority, member)
  end
end

-- The page is fetched, so its host is available again; the lease lasts until its links are stored.
local function park(lease)
  local packed = call('HGET', LEASE .. node, lease)
  local held_ = packed and cmsgpack.unpack(packed)
  if not held_ or held_[6] then return end
  free_host(held_[1])
  held_[6] = true
  call('HSET', LEASE .. node, lease, cmsgpack.pack(held_))
end

local movable_ones

local function lease_next(host, lease)
  local best = call('ZPOPMIN', HOST .. host)
  if not best[1] then return nil end
  local member, priority = best[1], -tonumber(best[2])
  if movable_ones == nil then movable_ones = call('EXISTS', PLACES) == 1 end
  if movable_ones then call('HDEL', PLACES, string.sub(member, 8, 15)) end
  local attempt = string.byte(member, 7) + 1
  local own_delay = pace_of(host)
  member = with_attempts(member, attempt)
  call('HINCRBY', ACTIVE, host, 1)
  call('HSET', LEASE .. node, lease, cmsgpack.pack({host, priority, member, now, attempt}))
  if own_delay > 0 then call('ZADD', WAITING, now + own_delay, host) end
  count('queued', -1)
  count('leased', 1)
  return {lease, attempt, host, string.sub(member, 16)}
end

local function lease_name(place_)
  return string.format('%d', number * 4096 + place_)
end

local function pop_all()
  local leases = {}
  while #leases < wanted do
    local host = next_ready()
    if not host then break end
    leases[#leases + 1] = lease_next(host, lease_name(#leases + 1))
    place(host, true)
  end
  return leases
end

local function told_before()
  local leases = {}
  for place_ = 1, wanted do
    local packed = call('HGET', LEASE .. node, lease_name(place_))
    if packed then
      local host, _, member, _, attempt = unpack(cmsgpack.unpack(packed))
      leases[#leases + 1] = {lease_name(place_), attempt, host, string.sub(member, 16)}
    end
  end
  return leases
end

-- Seconds until a host or a failed request is due; -1 if only an answer or a push can help. A waiting host counts only if it
-- will have an available request then.
local function wait_for_next()
  if next_ready() or call('EXISTS', READY) == 1 then return 0 end
  local soonest = tonumber(call('ZRANGE', DELAYED, 0, 0, 'WITHSCORES')[2])
  local waiting = call('ZRANGE', WAITING, 0, 31, 'WITHSCORES')
  for place_ = 1, #waiting, 2 do
    local host, due = waiting[place_], tonumber(waiting[place_ + 1])
    local _, most = pace_of(host)
    local has_more = call('EXISTS', HOST .. host) == 1 or call('HEXISTS', PACKED, host) == 1
    if has_more and tonumber(call('HGET', ACTIVE, host) or 0) < most then
      if not soonest or due < soonest then soonest = due end
      break
    end
  end
  if not soonest and #waiting == 64 then soonest = tonumber(waiting[64]) end
  local packed = tonumber(call('ZRANGE', TO_UNPACK, 0, 0, 'WITHSCORES')[2])
  if packed and not (soonest and soonest < packed) then soonest = packed end
  return soonest and math.max(0, soonest - now) or -1
end

local is_new = number > tonumber(call('HGET', MAIN, 'batch:' .. node) or 0)
if is_new then
  call('HSET', MAIN, 'batch:' .. node, number)
  push_all()
  for _, each in ipairs(promotions) do promote(unpack(each)) end
  for _, lease in ipairs(parked) do park(lease) end
  for _, lease in ipairs(acks) do
    if take_lease(node, lease) then held = held + 1 end
  end
  count('done', held)
  for _, failure in ipairs(failures) do fail(unpack(failure)) end
  for _, lease in ipairs(given) do give_back(node, lease) end
end

-- Leases unknown to the node were lost on the way to it. A batch that was executed before compares nothing: the node may hold
-- leases by now that it did not know when it sent the batch.
if is_new and known then
  local knows = {}
  for _, lease in ipairs(known) do knows[lease] = true end
  for _, lease in ipairs(call('HKEYS', LEASE .. node)) do
    if not knows[lease] then give_back(node, lease) end
  end
end

place_touched()
wake()
local leases = is_new and pop_all() or told_before()
write_counters()
local counted = {accounts()}
counted[5] = promoted
local wait = string.format('%.6f', wait_for_next())
local opening = tonumber(call('ZRANGE', ASLEEP, 0, 0, 'WITHSCORES')[2])
counted[6] = string.format('%.6f', opening and math.max(0, opening - now) or -1)
counted[7] = overflow_needs_work() and 1 or 0
return {'ok', accepted, held, leases, wait, unpack(counted)}
