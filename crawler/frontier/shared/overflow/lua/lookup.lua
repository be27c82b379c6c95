-- Lookup of packed requests, for exchanges and overflow work.

local MAX_PROMOTIONS = 10000
local MAX_SEARCHED_BLOCKS = 128

-- References of blocks in a lower band than this priority that may contain a request with this key; only the best of these
-- are searched. The reference has two bytes of the key of each movable request.
local function blocks_with(host, raw_key, priority)
  local found = {}
  if not band_of_overflow(host) then return found end
  local lower = string.format('(%.17g', -math.floor(priority / BAND))
  local mark = string.sub(raw_key, 1, 2)
  for _, block_ref in ipairs(call('ZRANGEBYSCORE', OVERFLOW .. host, lower, '+inf', 'LIMIT', 0, MAX_SEARCHED_BLOCKS)) do
    local from = 17
    while true do
      local place_ = string.find(block_ref, mark, from, true)
      if not place_ then break end
      if place_ % 2 == 1 then
        found[#found + 1] = block_ref
        break
      end
      from = place_ + 1
    end
  end
  return found
end

local function overflow_needs_work()
  for _, name in ipairs({TO_UNPACK, TO_PACK, TO_PROMOTE}) do
    local first = tonumber(call('ZRANGE', name, 0, 0, 'WITHSCORES')[2])
    if first and first <= now then return true end
  end
  return false
end
