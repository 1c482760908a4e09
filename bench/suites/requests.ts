import pg from 'pg'
import { closedLoop, type Throughput } from '../load/closed-loop.ts'
import { send } from '../load/http-client.ts'
import { interleaved } from '../load/interleaved.ts'
import { type BoardService, type Server, withBoardService } from '../processes/board-service.ts'
import { startChild } from '../processes/child.ts'
import type { Comparison } from '../record/comparison.ts'

type Measured = { cpuMicroseconds: number } & Throughput

const CLIENTS = 16
/** Served from memory. */
const KEPT = '/.well-known/jwks.json'

/** Requests on a board of many players: their CPU compared with bare `node:http` and `pg` with the same SQL, ranks compared with a plain read, and score writes with the function alone.
 * @param url a PostgreSQL that may create databases */
export function benchRequests(url: string, size = 1_000_000, ms = 2000): Promise<Comparison[]> {
  return withBoardService(url, size, async ({ service, databaseUrl, app: { id, apiKey } }) => {
    const kept = await (await fetch(service.url + KEPT)).text()
    const bare = await startChild<{ url: string }>('bare-process.ts', [databaseUrl, id, kept])
    try {
      return await measure({ service, bare, own: databaseUrl, app: id, key: apiKey, ms })
    } finally {
      await bare.stop()
    }
  })
}

type Setting = { service: Server; bare: Server; own: string; app: string; key: string; ms: number }

async function measure({ service, bare, own, app, key, ms }: Setting): Promise<Comparison[]> {
  const headers = { 'x-app-api-key': key }
  const pool = new pg.Pool({ connectionString: own, max: CLIENTS })
  pool.on('error', () => {}) // a connection that ends while the database is dropped
  const places = await somePlaces(pool, app)
  const apps = `${service.url}/api/v1/apps`
  const player = () => send(`${apps}/players/${places.middle}`, { headers })
  const rank = (id: string) => () => send(`${apps}/players/${id}/global-ranking`, { headers })
  const boardIn = (encoding: string) => () =>
    send(`${apps}/leaderboards/mini-game?limit=100`, { headers: { ...headers, 'accept-encoding': encoding } })
  const board = () => send(`${apps}/leaderboards/mini-game?limit=100`, { headers })
  const scores = { n: 0 }
  const next = () => places.writers[scores.n++ % places.writers.length]!
  const write = () =>
    send(`${apps}/game-sessions/${app}/players/${next()}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ score: Math.random() * 1e9 }),
    })
  const direct = () =>
    pool.query({
      name: 'save',
      text: 'select * from save_score($1, $1, $2, $3)',
      values: [app, next(), Math.random() * 1e9],
    })

  const names = { n: 0, begin: Math.random().toString(36).slice(2) }
  const newPlayer = (address: string) => () =>
    send(address, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ displayName: `${names.begin} ${names.n++}` }),
    })

  await rank(places.bottom)()
  await new Promise((resolve) => setTimeout(resolve, 3000)) // the index of the board loads
  const beside = (ours: () => Promise<void>, others: Record<string, () => Promise<void>>) =>
    interleaved(
      {
        ours: (ms) => cpuOf(service, ours, ms),
        ...Object.fromEntries(Object.entries(others).map(([name, other]) => [name, (ms) => cpuOf(bare, other, ms)])),
      } as Record<string, (ms: number) => Promise<Measured>>,
      { ms },
    )
  const get = (path: string) => () => send(`${bare.url}/${path}`)
  const kept = await beside(() => send(service.url + KEPT), { bare: get('kept') })
  const read = await beside(player, { bare: get(`player/${places.middle}`) })
  const boards = await beside(board, { bare: get('board'), sameText: get('board-text') })
  const encoded = await interleaved(
    {
      plain: (ms) => cpuOf(service, board, ms),
      gzip: (ms) => cpuOf(service, boardIn('gzip'), ms),
      br: (ms) => cpuOf(service, boardIn('br'), ms),
    } as Record<string, (ms: number) => Promise<Measured>>,
    { ms },
  )
  const made = await beside(newPlayer(`${apps}/players`), { bare: newPlayer(`${bare.url}/new`) })
  const ranks = await ranksBesideRead({ player, rank, places, ms })
  const { alone, written } = await interleaved(
    { alone: (ms) => closedLoop(CLIENTS, ms, direct), written: (ms) => closedLoop(CLIENTS, ms, write) },
    { ms },
  )
  await pool.end()
  const cpu = (name: string, ours: object, peer: object, target: string) => ({
    name,
    ours,
    peer,
    ratio: (peer as Measured).cpuMicroseconds / (ours as Measured).cpuMicroseconds,
    target,
  })
  return [
    cpu('cached GET, CPU: bare node:http sending the same bytes / ours', kept.ours!, kept.bare!, '≥ 0.7'),
    cpu('GET player, CPU: bare node:http with one SQL read each / ours', read.ours!, read.bare!, '≥ 0.75'),
    cpu('leaderboard of 100, CPU: bare node:http with the rows / ours', boards.ours!, boards.bare!, '≥ 0.85'),
    cpu('the same board, CPU: bare node:http with the text / ours', boards.ours!, boards.sameText!, 'none'),
    cpu('the same board, CPU of all threads: as it is / in gzip', encoded.gzip!, encoded.plain!, 'none'),
    cpu('the same board, CPU of all threads: as it is / in br', encoded.br!, encoded.plain!, 'none'),
    cpu('validated POST, CPU: bare node:http with the same insert / ours', made.ours!, made.bare!, '≥ 0.75'),
    ...ranks,
    {
      name: `PATCH score / save_score through pg, ${CLIENTS} clients`,
      ours: written,
      peer: alone,
      ratio: written.perSecond / alone.perSecond,
      target: '≥ 0.8',
    },
  ]
}

/** Rank requests on a board of ten million, compared with a plain read. */
export function benchRankRequests(url: string, size: number, ms = 2000): Promise<Comparison[]> {
  const use = async ({ service, databaseUrl, app: { id, apiKey } }: BoardService) => {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
    pool.on('error', () => {}) // a connection that ends while the database is dropped
    const places = await somePlaces(pool, id)
    await pool.end()
    const headers = { 'x-app-api-key': apiKey }
    const apps = `${service.url}/api/v1/apps`
    const player = () => send(`${apps}/players/${places.writers[0]}`, { headers })
    const rank = (one: string) => () => send(`${apps}/players/${one}/global-ranking`, { headers })
    await rank(places.bottom)()
    await new Promise((resolve) => setTimeout(resolve, 20_000)) // the index of the board loads
    for (const warm of [player, rank(places.top)]) await closedLoop(CLIENTS, ms / 2, warm)
    return ranksBesideRead({ player, rank, places, ms })
  }
  return withBoardService(url, size, use, { players: 1000 })
}

type RankSetting = {
  player: () => Promise<void>
  rank: (id: string) => () => Promise<void>
  places: { top: string; middle: string; bottom: string }
  ms: number
}

/** One request at a time, alternating. */
async function ranksBesideRead({ player, rank, places, ms }: RankSetting): Promise<Comparison[]> {
  const alone = (operation: () => Promise<void>) => (ms: number) => closedLoop(1, ms, operation)
  const ranks = { top: alone(rank(places.top)), middle: alone(rank(places.middle)), bottom: alone(rank(places.bottom)) }
  const { read, ...measured } = await interleaved({ read: alone(player), ...ranks }, { ms })
  return Object.entries(measured).map(([place, one]) => ({
    name: `global-ranking at the ${place} / GET player, p50`,
    ours: one,
    peer: read,
    ratio: one.p50Ms / read.p50Ms,
    target: '≤ 1.3',
  }))
}

async function cpuOf(server: Server, operation: () => Promise<void>, ms: number): Promise<Measured> {
  const before = await server.cpu()
  const throughput = await closedLoop(CLIENTS, ms, operation)
  const used = (await server.cpu()) - before
  return { cpuMicroseconds: used / (throughput.perSecond * throughput.seconds), ...throughput }
}

/** Players at the top, in the middle and at the bottom, and a thousand for score writes. */
async function somePlaces(pool: pg.Pool, app: string) {
  const ids = async (order: string, count: number, offset: string) =>
    (
      await pool.query<{ id: string }>(
        `select player_id as id from player_best where app_id = $1 order by ${order} offset ${offset} limit ${count}`,
        [app],
      )
    ).rows.map(({ id }) => id)
  const [top] = await ids('rank_key desc', 1, '5')
  const [bottom] = await ids('rank_key', 1, '5')
  const [middle] = await ids('rank_key', 1, '(select count(*) / 2 from player_best)')
  return { top: top!, middle: middle!, bottom: bottom!, writers: await withRows(pool, app) }
}

/** A thousand players with rows. */
const withRows = async (pool: pg.Pool, app: string) =>
  (await pool.query<{ id: string }>('select id from players where app_id = $1 order by id limit 1000', [app])).rows.map(
    ({ id }) => id,
  )
