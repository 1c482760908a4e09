import pg from 'pg'
import type { FenceSet } from '../../../server/modules/fences/matching/fence-set.ts'
import { advance, type Movement } from '../../../server/modules/fences/matching/movement.ts'
import { closedLoop, eachOnce } from '../../load/closed-loop.ts'
import { send } from '../../load/http-client.ts'
import { type BoardService, withAppService } from '../../processes/board-service.ts'
import type { Comparison } from '../../record/comparison.ts'
import { fencesAt, newWalk, seedFences, townPlaces, type Walker, walkers } from './fence-town.ts'

const CLIENTS = 64
const MS = 8000
/** Fixes of a request. */
const BATCHES = [1, 10]
/** How often a player sends a fix, in the figure that says how many players a process takes. */
const EVERY_SECONDS = 5

/**
 * Fixes a second that one process judges at many fences, through HTTP, of players who walk about a town. Beside it, the
 * matching alone in a process that holds the fences and the movement of each player, and what PostgreSQL alone can do for
 * a request: an update of one row, in transactions of 32. Then the memory of a player whose position is kept.
 * @param url a PostgreSQL that may create databases
 */
export function benchFences(url: string, fences = 10_000, players = 100_000): Promise<Comparison[]> {
  return withAppService(url, async (parts) => {
    const client = new pg.Client({ connectionString: parts.databaseUrl })
    await client.connect()
    try {
      const places = townPlaces(fences)
      await seedFences(client, parts.app.id, places)
      const all = await walkers(client, parts, players)
      const shown = `${players.toLocaleString('en')} players at ${fences.toLocaleString('en')} fences`
      const memory = await memoryOf(parts, client, all)
      const bare = matching(fencesAt(places), players)
      const compared: Comparison[] = []
      for (const fixes of BATCHES) {
        const { perSecond, ...ours } = await reporting(parts, all, fixes)
        const updates = await updatesOf(parts.databaseUrl)
        const fixesPerSecond = perSecond * fixes
        const figures = { requestsPerSecond: perSecond, fixesPerSecond, ...ours }
        compared.push(
          {
            name: `fixes of ${shown}, ${fixes} a request / matching alone in a process`,
            ours: { ...figures, [`playersWithAFixEvery${EVERY_SECONDS}s`]: fixesPerSecond * EVERY_SECONDS },
            peer: { fixesPerSecond: bare },
            ratio: fixesPerSecond / bare,
            target: `none: how far one process goes. All players send ${(players / EVERY_SECONDS).toLocaleString('en')} a second`,
          },
          {
            name: `positions of ${shown}, ${fixes} a request / updates of a row in PostgreSQL`,
            ours: figures,
            peer: updates,
            ratio: perSecond / updates.perSecond,
            target: 'none: how far one process goes',
          },
        )
      }
      return [...compared, memory]
    } finally {
      await client.end()
    }
  })
}

const report = (service: BoardService['service'], { headers, walk }: Walker, fixes: number) =>
  send(`${service.url}/api/v1/apps/positions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ fixes: walk(fixes) }),
  })

/** Requests of random players. */
async function reporting({ service }: BoardService, players: Walker[], fixes: number) {
  const some = () => report(service, players[Math.floor(Math.random() * players.length)]!, fixes)
  await closedLoop(CLIENTS, MS / 4, some)
  const before = await service.cpu()
  const { perSecond, seconds, p50Ms, p99Ms } = await closedLoop(CLIENTS, MS, some)
  return { perSecond, p50Ms, p99Ms, cpuMicroseconds: ((await service.cpu()) - before) / (perSecond * seconds) }
}

/** The first fix of each player, and what the positions then take. */
async function memoryOf({ service }: BoardService, client: pg.Client, players: Walker[]): Promise<Comparison> {
  await eachOnce(CLIENTS, players.slice(0, 1000), (player) => report(service, player, 1))
  const before = await service.memoryInUse()
  await eachOnce(CLIENTS, players, (player) => report(service, player, 1))
  const bytesInProcess = (((await service.memoryInUse()) - before) * 2 ** 20) / players.length
  const size = "select pg_total_relation_size('player_positions')::float8 as bytes"
  const bytesInPostgres = (await client.query<{ bytes: number }>(size)).rows[0]!.bytes / players.length
  return {
    name: `memory of a player whose position is kept, of ${players.length.toLocaleString('en')} / 1,000 bytes`,
    ours: { bytesInProcess, bytesInPostgres },
    peer: { bytes: 1000 },
    ratio: (bytesInProcess + bytesInPostgres) / 1000,
    target: '≤ 1',
  }
}

/** Fixes a second that this process matches for as many players, without requests and without keeping them. */
function matching(set: FenceSet, players: number): number {
  const movements: { walk: ReturnType<typeof newWalk>; movement: Movement }[] = Array.from({ length: players }, () => ({
    walk: newWalk(),
    movement: { last: undefined, plausible: undefined, stays: [] },
  }))
  const shared = new Set<never>()
  let matched = 0
  let ms = 0
  while (ms < MS / 4) {
    const some = Array.from({ length: 1000 }, () => movements[Math.floor(Math.random() * players)]!)
    const walked = some.map((player) => ({
      player,
      fixes: player.walk(1).map((fix) => ({ ...fix, at: Date.parse(fix.at) })),
    }))
    const start = performance.now()
    for (const { player, fixes } of walked)
      player.movement = advance(player.movement, fixes, { set, now: Date.now(), shared }).movement
    ms += performance.now() - start
    matched += some.length
  }
  return (matched / ms) * 1000
}

/** Updates of random rows of that table by two connections, in transactions of 32. */
async function updatesOf(url: string): Promise<{ perSecond: number }> {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  const { rows } = await pool.query<{ id: string }>('select player_id as id from player_positions')
  const group = 32
  const loop = await closedLoop(2, MS / 2, () =>
    pool.query({
      name: 'update',
      text: 'update player_positions set version = version + 1 where player_id = any($1)',
      values: [Array.from({ length: group }, () => rows[Math.floor(Math.random() * rows.length)]!.id)],
    }),
  )
  await pool.end()
  return { perSecond: loop.perSecond * group }
}
