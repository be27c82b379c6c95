-- KEYS: the identity's hash. ARGV: "take", generation seen, milliseconds of a turn, 1 to ignore the backoff;
-- or "finish", fence, 1 for a next generation, field, value ... (fields to set); "" as fence: any holder of the turn;
-- or "keep", generation, field, value ...: only if the generation is current.
-- take returns {"newer"}, {"busy", ms}, {"resting", ms, said} or {"turn", fence}; finish and keep return the generation, or -1.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function number(name)
  return tonumber(redis.call('HGET', KEYS[1], name) or '0')
end

local function set(first)
  for place = first, #ARGV, 2 do
    redis.call('HSET', KEYS[1], ARGV[place], ARGV[place + 1])
  end
end

if ARGV[1] == 'take' then
  local generation = number('generation')
  if generation ~= 0 and generation ~= tonumber(ARGV[2]) then
    return {'newer'}
  end
  local busy, rests = number('busy_until'), number('rests_until')
  if busy > now then
    return {'busy', busy - now}
  end
  if rests > now and ARGV[4] ~= '1' then
    return {'resting', rests - now, redis.call('HGET', KEYS[1], 'said') or ''}
  end
  redis.call('HSET', KEYS[1], 'busy_until', now + tonumber(ARGV[3]))
  return {'turn', redis.call('HINCRBY', KEYS[1], 'fence', 1)}
end

if ARGV[1] == 'keep' then
  if number('generation') ~= tonumber(ARGV[2]) then
    return -1
  end
  set(3)
  return number('generation')
end

if ARGV[1] == 'finish' then
  if ARGV[2] == '' then
    redis.call('HINCRBY', KEYS[1], 'fence', 1)
  elseif number('fence') ~= tonumber(ARGV[2]) then
    return -1
  end
  redis.call('HDEL', KEYS[1], 'busy_until')
  set(4)
  if ARGV[3] == '1' then
    redis.call('HSET', KEYS[1], 'since', now)
    redis.call('HDEL', KEYS[1], 'failures', 'rests_until', 'said')
    return redis.call('HINCRBY', KEYS[1], 'generation', 1)
  end
  return number('generation')
end

if ARGV[1] == 'fail' then
  if number('fence') ~= tonumber(ARGV[2]) then
    return -1
  end
  redis.call('HDEL', KEYS[1], 'busy_until')
  redis.call('HSET', KEYS[1], 'rests_until', now + tonumber(ARGV[3]), 'said', ARGV[4])
  return redis.call('HINCRBY', KEYS[1], 'failures', 1)
end

return redis.error_reply('no such action')
