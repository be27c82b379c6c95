-- Deletes the crawl for an operator; active nodes notice the new identity. Arguments: {new identity}. Reply: the number of its
-- requests.

local forgotten = forget()
if call('ZCARD', NODES) > 0 then
  begin(cmsgpack.unpack(ARGV[2])[1])
else
  call('DEL', MAIN, PACE, HOURS)
end
return forgotten
