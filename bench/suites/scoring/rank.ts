import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { boardSql } from '../../../server/modules/scoring/leaderboards/board-sql.ts'
import { leaderboardStore } from '../../../server/modules/scoring/leaderboards/store.ts'
import { readBoard } from '../../../server/modules/scoring/ranks/memory/board-loader.ts'
import { RankIndex } from '../../../server/modules/scoring/ranks/memory/rank-index.ts'
import { defaultGame } from '../../../server/modules/scoring/types/store.ts'
import { collector } from '../../../server/platform/process/garbage.ts'
import { createOwnUrls } from '../../../server/platform/storage/own-urls.ts'
import { runSql, withTemporaryDatabase } from '../../databases/temporary-database.ts'

export type RankBench = {
  name: string
  ours: Record<string, number>
  peer: Record<string, number>
  /** Our time (or space) relative to the peer's; more than 1 is more. */
  ratio: number
  target: string
}

/**
 * Ranks on a board of a million players: the index against PostgreSQL's count(*), and against a binary search in one sorted
 * array of the same keys, which cannot be updated; its load against the plain query, its space, and the leaderboard of 100
 * through the store against the same SQL alone.
 * @param url a PostgreSQL that may create databases
 */
export function benchRank(url: string, size = 1_000_000): Promise<RankBench[]> {
  return withTemporaryDatabase(url, async (own) => {
    const app = randomUUID()
    await runSql(own, seed(app, size))
    await runSql(own, 'vacuum player_best')
    const pool = new pg.Pool({ connectionString: own, max: 2 })
    pool.on('error', () => {}) // a connection that ends while the database is dropped
    try {
      const { index, keys, rows } = await load(pool, app)
      return [...rows, ...(await ranks(pool, app, index, keys)), await leaderboard(pool, app)]
    } finally {
      await pool.end()
    }
  })
}

type Load = { index: RankIndex; keys: Float64Array; rows: RankBench[] }

async function load(pool: pg.Pool, app: string): Promise<Load> {
  const times: { ours: number[]; plain: number[] } = { ours: [], plain: [] }
  let index = RankIndex.fromSorted()
  for (let turn = 0; turn < 3; turn++) {
    times.plain.push(
      await timed(async () => {
        await pool.query('select rank_key from player_best where app_id = $1 and rank_key is not null order by 1', [
          app,
        ])
      }),
    )
    times.ours.push(
      await timed(async () => {
        index = (await readBoard(pool, app, defaultGame)).index
      }),
    )
  }
  const keys = Float64Array.from([...index.inspect()].flatMap((block) => [...block.keys]))
  const before = memory()
  const again = RankIndex.fromSorted(keys)
  const bytes = (memory() - before) / keys.length
  const seconds = { ours: Math.min(...times.ours), plain: Math.min(...times.plain) }
  return {
    keys,
    index: again,
    rows: [
      {
        name: `load a board of ${keys.length}`,
        ours: { seconds: seconds.ours },
        peer: { seconds: seconds.plain },
        ratio: seconds.ours / seconds.plain,
        target: '≤ 1 s a million; the peer reads the keys as rows',
      },
      {
        name: 'space of a key after the load',
        ours: { bytes },
        peer: { bytes: 8 },
        ratio: bytes / 8,
        target: '≤ 9 bytes',
      },
    ],
  }
}

async function ranks(pool: pg.Pool, app: string, index: RankIndex, sorted: Float64Array): Promise<RankBench[]> {
  const size = sorted.length
  const samples = 1_000_000
  let sum = 0
  const rankAlone = microseconds(samples, (i) => {
    sum += index.above(sorted[(i * 7919) % size]!)
  })
  const searchAlone = microseconds(samples, (i) => {
    sum += above(sorted, sorted[(i * 7919) % size]!)
  })
  const keys = sorted.slice()
  const update = microseconds(samples, () => {
    const at = Math.floor(Math.random() * size)
    const key = Math.random() * 1e9
    index.move(keys[at]!, key)
    keys[at] = key
    sum += index.above(key)
  })
  if (!(sum > 0)) throw new Error('nothing was counted')

  const counted: RankBench[] = []
  for (const [place, at] of [
    ['top', size - 10],
    ['middle', Math.floor(size / 2)],
    ['bottom', 10],
  ] as const) {
    const key = sorted[at]!
    const ours = microseconds(samples, () => {
      sum += index.above(key)
    })
    const text = 'select count(*) from player_best where app_id = $1 and type_key = $2 and rank_key > $3'
    const query = () => pool.query({ name: 'count', text, values: [app, defaultGame, key] })
    await query()
    const peer = Math.min(...[await timed(query), await timed(query), await timed(query)]) * 1e6
    const target = '≤ 3 µs at any place'
    counted.push({
      name: `rank at the ${place} / count(*)`,
      ours: { µs: ours },
      peer: { µs: peer },
      ratio: ours / peer,
      target,
    })
  }
  return [
    ...counted,
    {
      name: 'rank / binary search in one array',
      ours: { µs: rankAlone },
      peer: { µs: searchAlone },
      ratio: rankAlone / searchAlone,
      target: '≤ 0.5 µs',
    },
    {
      name: 'update and rank / binary search in one array',
      ours: { µs: update },
      peer: { µs: searchAlone },
      ratio: update / searchAlone,
      target: '≤ 1.5 µs',
    },
  ]
}

async function leaderboard(pool: pg.Pool, app: string): Promise<RankBench> {
  const store = leaderboardStore(pool, { ownUrls: createOwnUrls(() => 'http://127.0.0.1') })
  const values = [app, defaultGame, 100]
  const ours: number[] = []
  const peer: number[] = []
  if ((await store.board(app, defaultGame, 100)).length !== 100) throw new Error('the board is not full')
  for (let turn = 0; turn < 300; turn++) {
    ours.push(await timed(() => store.board(app, defaultGame, 100)))
    peer.push(await timed(() => pool.query({ name: 'bare_board', text: boardSql, values })))
  }
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1]! * 1e6
  const [one, other] = [median(ours), median(peer)]
  return {
    name: 'leaderboard of 100 / the same SQL alone',
    ours: { µs: one },
    peer: { µs: other },
    ratio: one / other,
    target: '≤ 1.1',
  }
}

/** The number of ascending values greater than `x`. */
function above(sorted: Float64Array, x: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! > x) high = middle
    else low = middle + 1
  }
  return sorted.length - low
}

function microseconds(times: number, work: (i: number) => void): number {
  const start = performance.now()
  for (let i = 0; i < times; i++) work(i)
  return ((performance.now() - start) * 1000) / times
}

/** Seconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Bytes in use after a collection. */
function memory(): number {
  collector()()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** The million have player rows only for the best thousand, which a leaderboard shows. */
const seed = (app: string, size: number) => `
  insert into users (id, issuer, subject) values ('${app}', 'bench', '${app}');
  insert into apps (id, owner_id, name, description, visibility) values ('${app}', '${app}', 'Bench', 'Bench', 'PRIVATE');
  insert into game_sessions (app_id, id, type_key) values ('${app}', '${app}', '${defaultGame}');
  alter table player_best drop constraint player_best_app_id_player_id_fkey;
  insert into player_best (app_id, type_key, player_id, score, rank_key, session_id, achieved_at)
    select '${app}', '${defaultGame}', gen_random_uuid(), k, k, '${app}', now()
      from (select random() * 1e9 as k from generate_series(1, ${size})) q;
  insert into players (app_id, id, display_name, name_key)
    select '${app}', player_id, 'P ' || player_id, 'p ' || player_id from player_best order by rank_key desc limit 1000;
  insert into session_players (app_id, session_id, player_id, type_key, scored_at)
    select '${app}', '${app}', id, '${defaultGame}', now() from players;
  analyze;`
