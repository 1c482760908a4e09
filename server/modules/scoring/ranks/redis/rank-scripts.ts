import type { RedisClient } from '../../../../platform/redis/redis.ts'

/**
 * A board in Redis, in one slot of a cluster:
 * - state (hash): load, the id of the load that made it; gen, the generation it was loaded in; run, the run of the server
 *   that holds it; xmin, xmax, xip, what the snapshot of the load has seen; ok, once it is loaded; until, when a load that
 *   has not gone on is given up; at, when the run was last compared.
 * - keys (sorted set): rank key of each ranked player, whose id is 16 bytes.
 * - versions (hash): version of the last change of each player that changed since the snapshot.
 * - early (list): changes that came before the snapshot was known.
 * Without state, the board is not loaded.
 */
export type BoardKeys = [state: string, keys: string, versions: string, early: string]

/** Bytes of a change: ID, version, transaction, rank key, flag of a rank key. */
export const CHANGE_BYTES = 41
/** Bytes of a record of a load: ID, rank key. */
export const RECORD_BYTES = 24

/**
 * A restarted server with saved data and a promoted replica lack the last writes: a board is valid only in the run in which
 * it was loaded. INFO takes about ten microseconds, so its result is cached for 20 milliseconds, in which no server restarts.
 */
const SAME_RUN = `
  local function run_id() return string.match(redis.call('info', 'server'), 'run_id:(%w+)') end
  local function now()
    local t = redis.call('time')
    return t[1] * 1000 + math.floor(t[2] / 1000)
  end
  local function same_run(run, at)
    local ms = now()
    local since = ms - (tonumber(at) or 0)
    if since >= 0 and since < 20 then return true end
    if run_id() ~= run then return false end
    redis.pcall('hset', KEYS[1], 'at', ms)
    return true
  end`

/** Applies a change unless the snapshot or a later change includes it: order and repetition do not matter. */
const MOVE = `
  local function move(changes, xmin, xmax, xip)
    for o = 1, #changes, ${CHANGE_BYTES} do
      local id = string.sub(changes, o, o + 15)
      local version, xid, key, has = struct.unpack('>dddB', changes, o + 16)
      local is_seen = xid < xmin or (xid < xmax and not string.find(xip, string.format(',%.0f,', xid), 1, true))
      if not is_seen then
        local last = redis.call('hget', KEYS[3], id)
        if not last or tonumber(last) < version then
          redis.call('hset', KEYS[3], id, string.format('%.0f', version))
          if has == 1 then redis.call('zadd', KEYS[2], key, id) else redis.call('zrem', KEYS[2], id) end
        end
      end
    end
  end`

/** ARGV: changes. @returns 1; 0 if no board is loaded; -1 if it is of another run and was dropped */
const CHANGE = `${SAME_RUN}${MOVE}
  local s = redis.call('hmget', KEYS[1], 'load', 'run', 'at', 'xmin', 'xmax', 'xip')
  if not s[1] then return 0 end
  if not same_run(s[2], s[3]) then
    redis.call('unlink', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
    return -1
  end
  if s[4] then move(ARGV[1], tonumber(s[4]), tonumber(s[5]), s[6])
  else redis.call('rpush', KEYS[4], ARGV[1]) end
  return 1`

/** ARGV: generation, rank keys. @returns the number of ranked players, and for each key the number of better ones; nothing if the board is not loaded */
const LOOK = `${SAME_RUN}
  local s = redis.call('hmget', KEYS[1], 'ok', 'gen', 'run', 'at')
  if not s[1] or s[2] ~= ARGV[1] or not same_run(s[3], s[4]) then return false end
  local counts = { redis.call('zcard', KEYS[2]) }
  for i = 2, #ARGV do counts[i] = redis.call('zcount', KEYS[2], '(' .. ARGV[i], '+inf') end
  return counts`

/** ARGV: load, generation, milliseconds without progress. @returns `begun`, or `loaded` or `loading` if another load was faster */
const BEGIN = `${SAME_RUN}
  local policy = string.match(redis.call('info', 'memory'), 'maxmemory_policy:([%w-]+)')
  if policy and string.find(policy, 'allkeys', 1, true) then
    return redis.error_reply('EVICTS Redis may evict any key (maxmemory-policy ' .. policy .. '): set noeviction or volatile-lru')
  end
  local run = run_id()
  local s = redis.call('hmget', KEYS[1], 'ok', 'gen', 'run', 'until')
  if s[2] == ARGV[2] and s[3] == run then
    if s[1] then return 'loaded' end
    if tonumber(s[4]) > now() then return 'loading' end
  end
  redis.call('unlink', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
  redis.call('hset', KEYS[1], 'load', ARGV[1], 'gen', ARGV[2], 'run', run, 'until', now() + ARGV[3])
  return 'begun'`

/** ARGV: load, xmin, xmax, xip separated by commas. @returns whether the load is still current */
const OPENED = `${MOVE}
  if redis.call('hget', KEYS[1], 'load') ~= ARGV[1] then return 0 end
  redis.call('hset', KEYS[1], 'xmin', ARGV[2], 'xmax', ARGV[3], 'xip', ARGV[4])
  for _, changes in ipairs(redis.call('lrange', KEYS[4], 0, -1)) do
    move(changes, tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4])
  end
  redis.call('del', KEYS[4])
  return 1`

/** ARGV: load, records, milliseconds without progress. Players that changed since the snapshot are kept. @returns as OPENED */
const FILL = `${SAME_RUN}
  if redis.call('hget', KEYS[1], 'load') ~= ARGV[1] then return 0 end
  local ids = {}
  for o = 1, #ARGV[2], ${RECORD_BYTES} do ids[#ids + 1] = string.sub(ARGV[2], o, o + 15) end
  local versions = redis.call('hmget', KEYS[3], unpack(ids))
  local added = {}
  for i, id in ipairs(ids) do
    if not versions[i] then
      added[#added + 1] = struct.unpack('>d', ARGV[2], (i - 1) * ${RECORD_BYTES} + 17)
      added[#added + 1] = id
    end
  end
  if #added > 0 then redis.call('zadd', KEYS[2], unpack(added)) end
  redis.call('hset', KEYS[1], 'until', now() + ARGV[3])
  return 1`

/** ARGV: load. @returns as OPENED; 0 also if the load began in another run of the server */
const FINISH = `${SAME_RUN}
  local s = redis.call('hmget', KEYS[1], 'load', 'run')
  if s[1] ~= ARGV[1] or s[2] ~= run_id() then return 0 end
  redis.call('hset', KEYS[1], 'ok', 1)
  return 1`

/** Invalidates the board and frees its memory. */
const DROP = `return redis.call('unlink', KEYS[1], KEYS[2], KEYS[3], KEYS[4])`

const scripts = { Change: CHANGE, Look: LOOK, Begin: BEGIN, Opened: OPENED, Fill: FILL, Finish: FINISH, Drop: DROP }

export type RankCommands = {
  cairnRankChange: (...args: [...BoardKeys, changes: Buffer]) => Promise<number>
  cairnRankLook: (...args: [...BoardKeys, generation: string, ...keys: string[]]) => Promise<number[] | null>
  cairnRankBegin: (
    ...args: [...BoardKeys, load: string, generation: string, ms: number]
  ) => Promise<'begun' | 'loaded' | 'loading'>
  cairnRankOpened: (...args: [...BoardKeys, load: string, xmin: number, xmax: number, xip: string]) => Promise<number>
  cairnRankFill: (...args: [...BoardKeys, load: string, records: Buffer, ms: number]) => Promise<number>
  cairnRankFinish: (...args: [...BoardKeys, load: string]) => Promise<number>
  cairnRankDrop: (...args: BoardKeys) => Promise<number>
}

/** Defines the board commands on a client. Each is atomic. */
export function rankCommands(redis: RedisClient): RankCommands {
  for (const [name, lua] of Object.entries(scripts)) redis.defineCommand(`cairnRank${name}`, { numberOfKeys: 4, lua })
  return redis as unknown as RankCommands
}

/** The key of a board. @param space of the database, so that two databases on one Redis do not collide */
export function boardKeys(space: string, appId: string, boardKey: string): BoardKeys {
  const board = `cairn:{${space}:${appId}:${boardKey}}`
  return [`${board}:state`, `${board}:keys`, `${board}:versions`, `${board}:early`]
}
