-- A host's own pace. Wanted: {host, delay, concurrency}

local host, delay, concurrency = unpack(cmsgpack.unpack(ARGV[2]))
call('HSET', PACE, host, cmsgpack.pack({delay, concurrency}))
own_paces, common_pace = nil, nil
place(host)
return 1
