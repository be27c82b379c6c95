-- Nodes that another node on their machine knows to be gone. Wanted: their names; the reply is how many leases they held.

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
