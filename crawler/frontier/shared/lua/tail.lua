-- Tails of hosts' queues, as exchanges and the work on tails see them.

local MOST_RAISES = 10000
local SEARCHED_BLOCKS = 128

-- Stubs of blocks in which a request with this key may be, and which are in a lower band than this priority; only among
-- the best of those. A request that may be promoted has two bytes of its key in the stub.
local function blocks_with(host, raw_key, priority)
  local found = {}
  if not band_of_tail(host) then return found end
  local lower = string.format('(%.17g', -math.floor(priority / BAND))
  local mark = string.sub(raw_key, 1, 2)
  for _, stub in ipairs(call('ZRANGEBYSCORE', TAIL .. host, lower, '+inf', 'LIMIT', 0, SEARCHED_BLOCKS)) do
    local from = 17
    while true do
      local place_ = string.find(stub, mark, from, true)
      if not place_ then break end
      if place_ % 2 == 1 then
        found[#found + 1] = stub
        break
      end
      from = place_ + 1
    end
  end
  return found
end

local function tails_want_work()
  for _, name in ipairs({REFILL, SPILL, RAISES}) do
    local first = tonumber(call('ZRANGE', name, 0, 0, 'WITHSCORES')[2])
    if first and first <= now then return true end
  end
  return false
end
