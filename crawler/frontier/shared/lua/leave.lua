-- A node leaves in order. Arguments: {node, identity of the crawl, whether to delete the crawl if no node remains}

local node, identity, forget_it = unpack(cmsgpack.unpack(ARGV[2]))
if call('HGET', MAIN, 'crawl') ~= identity then return 0 end
for _, lease in ipairs(call('HKEYS', LEASE .. node)) do give_back(node, lease) end
dismiss(node)
place_touched()
write_counters()
if forget_it and call('ZCARD', NODES) == 0 then
  forget()
  call('DEL', MAIN, PACE, HOURS)
end
return 0
