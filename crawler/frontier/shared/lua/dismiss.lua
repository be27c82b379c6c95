-- Removes nodes that another node on their machine found dead. Arguments: their names. Reply: the number of their leases.

local found = 0
for _, node in ipairs(cmsgpack.unpack(ARGV[2])) do
  if call('ZSCORE', NODES, node) then
    found = found + call('HLEN', LEASE .. node)
    dismiss(node)
  end
end
place_touched()
write_counters()
return found
