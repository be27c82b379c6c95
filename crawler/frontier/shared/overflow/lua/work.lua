-- Jobs on packed requests, done by nodes, since the server cannot compress: takes results and returns new jobs. Each request is
-- always either in the head or in one block, even if a node dies or repeats a call.
--
-- Arguments: {identity of the crawl, changes, number of jobs}
--   a change: {host, stamps of requests removed from the head, {{priority, member, movable}...} added to it, references of
--   removed blocks, {{band, reference, block}...} of added ones, the handled promotion or false}. It is applied only if
--   it neither loses nor duplicates a request, and everything it removes is still there.
--   a stamp: the first 7 bytes of a member, and its score as text
-- Reply: {for each change whether it was applied, jobs}, or {"other"} if the crawl is another one
--   a job: {"unpack", host, maximum number, band of the next block, {band, reference, block}},
--   {"promote", host, promotion, raw key, priority, {band, reference, block}...},
--   or {"pack", host, {member, score, movable}..., {band, reference, block}...}
-- A job that is not done in time is assigned to another node.

local identity, changes_, most = unpack(cmsgpack.unpack(ARGV[2]))
if call('HGET', MAIN, 'crawl') ~= identity then return {'other'} end

local JOB_SECONDS = 5
local FULL, MOST_BLOCKS = 448, 32  -- larger blocks get no further requests; blocks per job

local function size_of(block_ref)
  return (struct.unpack('>I2', block_ref, 15))
end

-- The members of these stamps, which are among the last of the head; nil if one has changed.
local function members_of(host, stamps)
  local wanted, found = {}, {}
  for _, stamp in ipairs(stamps) do wanted[stamp] = true end
  if not stamps[1] then return found end
  local last = call('ZRANGE', HOST .. host, -2 * #stamps - 100, -1, 'WITHSCORES')
  for place_ = 1, #last, 2 do
    if wanted[string.sub(last[place_], 1, 7) .. last[place_ + 1]] then found[#found + 1] = last[place_] end
  end
  return #found == #stamps and found or nil
end

local function leave_head(host, members)
  for _, member in ipairs(members) do
    call('ZREM', HOST .. host, member)
    call('HDEL', PLACES, string.sub(member, 8, 15))
  end
end

local function come_to_head(host, entries)
  for _, entry in ipairs(entries) do
    local priority, member, movable = unpack(entry)
    call('ZADD', HOST .. host, -priority, member)
    if movable then call('HSET', PLACES, string.sub(member, 8, 15), string.sub(member, 1, 6) .. priority) end
  end
end

local function change(host, stamps, entries, go, come, promotion)
  local by = 0
  for _, block in ipairs(come) do
    by = by + size_of(block[2])
  end
  for _, block_ref in ipairs(go) do
    if not call('ZSCORE', OVERFLOW .. host, block_ref) then return false end
    by = by - size_of(block_ref)
  end
  local members = members_of(host, stamps)
  if not members or #members - #entries ~= by then return false end
  leave_head(host, members)
  come_to_head(host, entries)
  for _, block_ref in ipairs(go) do
    call('ZREM', OVERFLOW .. host, block_ref)
    call('HDEL', BLOCK .. host, string.sub(block_ref, 7, 14))
  end
  for _, block in ipairs(come) do
    call('ZADD', OVERFLOW .. host, -block[1], block[2])
    call('HSET', BLOCK .. host, string.sub(block[2], 7, 14), block[3])
  end
  if call('HINCRBY', PACKED, host, by) == 0 then call('HDEL', PACKED, host) end
  call('ZREM', TO_PACK, host)
  call('ZREM', TO_UNPACK, host)
  if promotion then call('ZREM', TO_PROMOTE, promotion) end
  overflow_exists = nil
  touched[host] = true
  return true
end

local function block_of(host, block_ref, band)
  return {band, block_ref, call('HGET', BLOCK .. host, string.sub(block_ref, 7, 14))}
end

local JOBS = {}

JOBS[TO_UNPACK] = function(host)
  local best = call('ZRANGE', OVERFLOW .. host, 0, 1, 'WITHSCORES')
  if not best[1] or not needs_unpack(host, -tonumber(best[2])) then return nil end
  local how_many, next_band = math.floor(longest_head() / 2), -tonumber(best[4] or best[2])
  return {'unpack', host, how_many, next_band, block_of(host, best[1], -tonumber(best[2]))}
end

local function may_move(members)
  local flags, keys = {}, {}
  if call('EXISTS', PLACES) == 0 then return flags end
  for place_ = 1, #members, 2 do keys[#keys + 1] = string.sub(members[place_], 8, 15) end
  for place_, known in ipairs(call('HMGET', PLACES, unpack(keys))) do
    flags[place_] = known and string.sub(known, 1, 6) == string.sub(members[2 * place_ - 1], 1, 6)
  end
  return flags
end

-- Blocks in these bands with free space.
local function blocks_with_room(host, highest, lowest)
  local found = {}
  local range = {string.format('%.17g', -highest), string.format('%.17g', -lowest), 'WITHSCORES', 'LIMIT', 0, AT_ONCE}
  local block_refs = call('ZRANGEBYSCORE', OVERFLOW .. host, unpack(range))
  for place_ = 1, #block_refs, 2 do
    if #found == MOST_BLOCKS then break end
    if size_of(block_refs[place_]) <= FULL then found[#found + 1] = block_of(host, block_refs[place_], -tonumber(block_refs[place_ + 1])) end
  end
  return found
end

-- The worst requests of the head, and blocks to which they may be added.
JOBS[TO_PACK] = function(host)
  local surplus = call('ZCARD', HOST .. host) - longest_head()
  if surplus <= 0 then return nil end
  local how_many = math.min(LONGEST_HEAD, surplus + math.floor(3 * longest_head() / 4))
  local worst = call('ZRANGE', HOST .. host, -how_many, -1, 'WITHSCORES')
  local flags, members = may_move(worst), {}
  for place_ = 1, #worst, 2 do
    local number = (place_ + 1) / 2
    members[number] = {worst[place_], worst[place_ + 1], flags[number] and 1 or 0}
  end
  local highest, lowest = math.floor(-tonumber(worst[2]) / BAND), math.floor(-tonumber(worst[#worst]) / BAND)
  return {'pack', host, members, blocks_with_room(host, highest, lowest)}
end

JOBS[TO_PROMOTE] = function(packed)
  local host, raw_key, priority = unpack(cmsgpack.unpack(packed))
  local blocks = {}
  for _, block_ref in ipairs(blocks_with(host, raw_key, priority)) do
    blocks[#blocks + 1] = block_of(host, block_ref, -tonumber(call('ZSCORE', OVERFLOW .. host, block_ref)))
  end
  return blocks[1] and {'promote', host, packed, raw_key, priority, blocks}
end

local jobs = {}
local function give(name)
  for _, what in ipairs(call('ZRANGEBYSCORE', name, '-inf', now, 'LIMIT', 0, most - #jobs)) do
    local job = JOBS[name](what)
    if job then
      jobs[#jobs + 1] = job
      call('ZADD', name, now + JOB_SECONDS, what)
    else
      call('ZREM', name, what)
    end
  end
end

local made = {}
for place_, each in ipairs(changes_) do made[place_] = change(unpack(each)) and 1 or 0 end
place_touched()
write_counters()
for _, name in ipairs({TO_UNPACK, TO_PROMOTE, TO_PACK}) do
  if #jobs < most then give(name) end
end
return {made, jobs}
