-- Work on the tails of hosts' queues, which nodes do, since the server cannot compress: done work comes in, and new work goes
-- out. Whatever a node dies of, and however often it sends the same, requests are in the head or in one block.
--
-- Wanted: {identity of the crawl, changes, how many jobs, names of blocks that will be put in another place, names that were dropped
-- there}
--   a change: {host, stamps of requests that leave the head, {{priority, member, may be promoted}...} that come into it,
--   stubs of blocks that go, {{band, stub, block or false}...} that come, the raise that is dealt with or false}. It is made
--   if it loses and doubles nothing, and all that goes is still there.
--   a stamp: the first 7 bytes of a member, and its score as text
-- Reply: {for each change whether it was made, jobs, names of blocks to drop}, or {"other"} if the crawl is another one
--   a job: {"refill", host, how many at most, band of the next block, {band, stub, block}}, {"raise", host, raise, raw key, priority, {band, stub, block}...},
--   or {"spill", host, {member, score, may be promoted}..., {band, stub, block}...}
-- A job that is not done in time goes to another node.

local identity, changes_, most, announced, dropped = unpack(cmsgpack.unpack(ARGV[2]))
if call('HGET', MAIN, 'crawl') ~= identity then return {'other'} end

local JOB_SECONDS = 5
-- A block elsewhere is dropped so long after it left the queue, or was announced and never came. A server that was restarted may have
-- forgotten its last seconds, and then the block is in the queue again and no stray.
local GONE_SECONDS, ANNOUNCED_SECONDS = 60, 3600
local FULL, MOST_BLOCKS = 448, 32  -- a block of more requests gets no further ones; blocks of one job

local function size_of(stub)
  return (struct.unpack('>I2', stub, 15))
end

-- The members of these stamps, which are among the last of the head; nil if one is not as it was.
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

-- Whether a block is where it should be: with the change, or elsewhere and not to be dropped soon.
local function is_kept(block)
  return block[3] or tonumber(call('ZSCORE', STRAYS, string.sub(block[2], 7, 14)) or 0) > now + JOB_SECONDS
end

local function change(host, stamps, entries, go, come, raise)
  local by = 0
  for _, block in ipairs(come) do
    if not is_kept(block) then return false end
    by = by + size_of(block[2])
  end
  for _, stub in ipairs(go) do
    if not call('ZSCORE', TAIL .. host, stub) then return false end
    by = by - size_of(stub)
  end
  local members = members_of(host, stamps)
  if not members or #members - #entries ~= by then return false end
  leave_head(host, members)
  come_to_head(host, entries)
  for _, stub in ipairs(go) do
    call('ZREM', TAIL .. host, stub)
    local name = string.sub(stub, 7, 14)
    if call('HDEL', BLOCK .. host, name) == 0 then call('ZADD', STRAYS, now + GONE_SECONDS, name) end
  end
  for _, block in ipairs(come) do
    call('ZADD', TAIL .. host, -block[1], block[2])
    local name = string.sub(block[2], 7, 14)
    if block[3] then call('HSET', BLOCK .. host, name, block[3]) else call('ZREM', STRAYS, name) end
  end
  if call('HINCRBY', TAILS, host, by) == 0 then call('HDEL', TAILS, host) end
  call('ZREM', SPILL, host)
  call('ZREM', REFILL, host)
  if raise then call('ZREM', RAISES, raise) end
  tails_exist = nil
  touched[host] = true
  return true
end

local function block_of(host, stub, band)
  return {band, stub, call('HGET', BLOCK .. host, string.sub(stub, 7, 14))}
end

local JOBS = {}

JOBS[REFILL] = function(host)
  local best = call('ZRANGE', TAIL .. host, 0, 1, 'WITHSCORES')
  if not best[1] or not needs_refill(host, -tonumber(best[2])) then return nil end
  local how_many, next_band = math.floor(longest_head() / 2), -tonumber(best[4] or best[2])
  return {'refill', host, how_many, next_band, block_of(host, best[1], -tonumber(best[2]))}
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

-- Blocks of the tail in these bands that have room.
local function blocks_with_room(host, highest, lowest)
  local found = {}
  local range = {string.format('%.17g', -highest), string.format('%.17g', -lowest), 'WITHSCORES', 'LIMIT', 0, AT_ONCE}
  local stubs = call('ZRANGEBYSCORE', TAIL .. host, unpack(range))
  for place_ = 1, #stubs, 2 do
    if #found == MOST_BLOCKS then break end
    if size_of(stubs[place_]) <= FULL then found[#found + 1] = block_of(host, stubs[place_], -tonumber(stubs[place_ + 1])) end
  end
  return found
end

-- The worst requests of the head, and blocks that they may join.
JOBS[SPILL] = function(host)
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
  return {'spill', host, members, blocks_with_room(host, highest, lowest)}
end

JOBS[RAISES] = function(packed)
  local host, raw_key, priority = unpack(cmsgpack.unpack(packed))
  local blocks = {}
  for _, stub in ipairs(blocks_with(host, raw_key, priority)) do
    blocks[#blocks + 1] = block_of(host, stub, -tonumber(call('ZSCORE', TAIL .. host, stub)))
  end
  return blocks[1] and {'raise', host, packed, raw_key, priority, blocks}
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

for _, name in ipairs(announced) do call('ZADD', STRAYS, now + ANNOUNCED_SECONDS, name) end
for _, name in ipairs(dropped) do call('ZREM', STRAYS, name) end
local made = {}
for place_, each in ipairs(changes_) do made[place_] = change(unpack(each)) and 1 or 0 end
place_touched()
write_counters()
for _, name in ipairs({REFILL, RAISES, SPILL}) do
  if #jobs < most then give(name) end
end
return {made, jobs, call('ZRANGEBYSCORE', STRAYS, '-inf', now, 'LIMIT', 0, most > 0 and AT_ONCE or 0)}
