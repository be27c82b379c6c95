-- Requeues dead requests with new attempts. Arguments: {host, "" for all}. Reply: their number.

local wanted = cmsgpack.unpack(ARGV[2])[1]
local dead, found = call('HGETALL', DEAD), 0
for place_ = 1, #dead, 2 do
  local host, priority, member = unpack(cmsgpack.unpack(dead[place_ + 1]))
  if wanted == '' or wanted == host then
    call('HDEL', DEAD, dead[place_])
    queue(host, priority, with_attempts(member, 0))
    found = found + 1
  end
end
count('dead', -found)
place_touched()
write_counters()
return found
