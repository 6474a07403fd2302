/** The limits of a request as one script, which Valkey runs in one step and on its own clock. */
import { createHash } from "node:crypto";
import type { Script } from "./connection.ts";

/**
 * Each key is a sorted set: the times of one pool's requests, in microseconds. The arguments are the name of the request; 1
 * to charge it, 0 to look only; then the limit and the window (µs) of each pool.
 * The script returns the wait (µs) until no pool is full, 0 when none is, and the number of requests in each pool before this one.
 */
const LIMITS = `
-- Lua writes numbers of this size as 1.7953e+15.
local function whole(number) return string.format('%.0f', number) end

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local name, charges = ARGV[1], ARGV[2] == '1'
local wait, answer = 0, { 0 }

for i, pool in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
  -- Times that are far ahead are left from a clock that was set back. They must not lock a caller out until then.
  local from, to = '(' .. whole(now - window), '(' .. whole(now + window)
  local used = redis.call('ZCOUNT', pool, from, to)
  if used >= limit then
    local leaves = redis.call('ZRANGEBYSCORE', pool, from, to, 'WITHSCORES', 'LIMIT', used - limit, 1)
    wait = math.max(wait, leaves[2] + window - now)
  end
  answer[i + 1] = used
end

if wait == 0 and charges then
  for i, pool in ipairs(KEYS) do
    local window = tonumber(ARGV[2 * i + 2])
    -- First of the commands that write, because only this one is refused when the memory is full.
    redis.call('ZADD', pool, whole(now), name)
    redis.call('ZREMRANGEBYSCORE', pool, '-inf', whole(now - window))
    redis.call('ZREMRANGEBYSCORE', pool, whole(now + window), '+inf')
    redis.call('PEXPIRE', pool, whole(window / 1000))
  end
end
answer[1] = wait
return answer
`;

export const SCRIPT: Script = { text: LIMITS, sha: createHash("sha1").update(LIMITS).digest("hex") };
