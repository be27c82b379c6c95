-- Sets hosts' own paces and opening spans.
--
-- Arguments: {{host, delay, concurrency, name of hours or false}..., {name of hours, {start, end, start, end ...}}...}

local paces, hours = unpack(cmsgpack.unpack(ARGV[2]))
for _, each in ipairs(hours) do call('HSET', HOURS, each[1], cmsgpack.pack(each[2])) end
for _, each in ipairs(paces) do
  call('HSET', PACE, each[1], cmsgpack.pack({each[2], each[3], each[4] or nil}))
end
own_paces, common_pace = nil, nil
for _, each in ipairs(paces) do place(each[1]) end
return #paces
