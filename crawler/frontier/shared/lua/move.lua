-- A part of a divided crawl moves to another server. `crawler/frontier/shared/moving.py` says in which order.
--
-- KEYS[1] is the part's queue. ARGV[1] is the step; the reply is 1, or 0 where the step is not allowed now.
--   "expect", mark        there: nodes wait, and what comes under this mark is let in; 0 if the part is there already
--   "leave", to           here: nobody works on the part any more; nodes are sent to the server `to`
--   "take", mark, packed  there: {{key, dump}, {key, {score, member...}}, {key, {field, value...}, true}...}
--   "settle", mark, main  there: the fields of the queue's main hash come last, and nodes may work on the part
--   "clear", to, packed   here: these keys go; false: what is left but the address

local call = redis.call
local MAIN, step, mark = KEYS[1], ARGV[1], ARGV[2]
local moved = call('HGET', MAIN, 'moved')

if step == 'leave' then
  if moved and moved ~= mark then return 0 end
  call('HSET', MAIN, 'moved', mark)
  return 1
end

if step == 'expect' then
  if not moved and call('HEXISTS', MAIN, 'crawl') == 1 then return 0 end
  call('HSET', MAIN, 'moved', mark)
  return 1
end

if moved ~= mark then return 0 end
local wanted = cmsgpack.unpack(ARGV[3])

if step == 'take' then
  for _, item in ipairs(wanted) do
    if type(item[2]) == 'table' then
      call(item[3] and 'HSET' or 'ZADD', item[1], unpack(item[2]))
    else
      call('RESTORE', item[1], 0, item[2], 'REPLACE')
    end
  end
elseif step == 'settle' then
  local fields = call('HKEYS', MAIN)
  call('HDEL', MAIN, unpack(fields))
  for place = 1, #wanted, 2 do
    if wanted[place] ~= 'moved' then call('HSET', MAIN, wanted[place], wanted[place + 1]) end
  end
elseif wanted then
  call('UNLINK', unpack(wanted))
else
  for _, name in ipairs(call('HKEYS', MAIN)) do
    if name ~= 'moved' then call('HDEL', MAIN, name) end
  end
end
return 1
