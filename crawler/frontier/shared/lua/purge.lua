-- Forgets the crawl at an operator's word; nodes at work notice the new identity. Wanted: {new identity}; the reply is
-- how many requests it had.

local forgotten = forget()
if call('ZCARD', NODES) > 0 then
  begin(cmsgpack.unpack(ARGV[2])[1])
else
  call('DEL', MAIN, PACE, HOURS)
end
return forgotten
