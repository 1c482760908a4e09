import { join } from 'node:path'
import { postmasterOf } from '../databases/postmaster.ts'
import { closedLoop, type Throughput } from '../load/closed-loop.ts'
import { ask, formOf, send } from '../load/http-client.ts'
import { interleaved } from '../load/interleaved.ts'
import { cpuMicrosecondsOf } from '../measure/cpu-microseconds.ts'
import { type BoardService, somePlayers, withBoardService } from '../processes/board-service.ts'
import type { Comparison } from '../record/comparison.ts'

/** CPU time of a request: of the service and, with PostgreSQL, of both. */
type Measured = Throughput & { cpuMicroseconds: number; serviceMicroseconds: number }
type Operations = Record<string, () => Promise<unknown>>

const CLIENTS = 16
const PLAYERS = 100_000

/**
 * Measures requests of this checkout beside those of another one, alternately on the same machine: each with a service and
 * a database of its own.
 * @param url a PostgreSQL that may create databases
 * @param checkout the folder of another commit, with its packages installed @param only operations whose name contains it
 */
export function benchBeside(url: string, checkout: string, { ms = 1500, only = '' } = {}): Promise<Comparison[]> {
  if (checkout === '') throw new Error('Name the folder of the other commit: beside --checkout ../other')
  const other = join(checkout, 'bench/processes/service-process.ts')
  return withBoardService(url, PLAYERS, (ours) =>
    withBoardService(url, PLAYERS, (theirs) => compare(url, ours, theirs, ms, only), { script: other }),
  )
}

async function compare(
  url: string,
  ours: BoardService,
  theirs: BoardService,
  ms: number,
  only: string,
): Promise<Comparison[]> {
  const postmaster = await postmasterOf(url)
  const sides = { ours: await operationsOf(ours), theirs: await operationsOf(theirs) }
  const cpuOf = (service: BoardService['service'], operation: () => Promise<unknown>) => async (ms: number) => {
    const before = [await service.cpu(), await cpuMicrosecondsOf(postmaster)] as const
    const done = await closedLoop(CLIENTS, ms, operation)
    const own = (await service.cpu()) - before[0]
    const requests = done.perSecond * done.seconds
    const all = own + (await cpuMicrosecondsOf(postmaster)) - before[1]
    return { ...done, cpuMicroseconds: all / requests, serviceMicroseconds: own / requests }
  }
  const comparisons: Comparison[] = []
  for (const name of Object.keys(sides.ours).filter((name) => name.includes(only))) {
    const measured = (await interleaved(
      { ours: cpuOf(ours.service, sides.ours[name]!), theirs: cpuOf(theirs.service, sides.theirs[name]!) },
      { ms },
    )) as unknown as Record<'ours' | 'theirs', Measured>
    comparisons.push({
      name: `${name}, CPU of the service and PostgreSQL: the other commit / ours`,
      ours: measured.ours,
      peer: measured.theirs,
      ratio: measured.theirs.cpuMicroseconds / measured.ours.cpuMicroseconds,
      target: '≥ 1',
    })
  }
  return comparisons
}

async function operationsOf({ service, databaseUrl, app }: BoardService): Promise<Operations> {
  const players = await somePlayers(databaseUrl, app.id, 20_000)
  const apps = `${service.url}/api/v1/apps`
  const headers = { 'x-app-api-key': app.apiKey }
  const json = { ...headers, 'content-type': 'application/json' }
  const any = () => players[Math.floor(Math.random() * players.length)]!
  const board = () => send(`${apps}/leaderboards/mini-game?limit=100`, { headers })
  const score = () =>
    send(`${apps}/game-sessions/${app.id}/players/${any()}`, {
      method: 'PATCH',
      headers: json,
      body: JSON.stringify({ score: Math.random() * 1e9 }),
    })
  const names = { begin: Math.random().toString(36).slice(2), n: 0 }
  const form = () => formOf('note.txt', `${Math.random()}`.padEnd(100_000))
  const store = () => ask(`${service.url}/api/upload`, form())
  const stored = JSON.parse(await store()).results[0].url as string
  await board()
  await new Promise((resolve) => setTimeout(resolve, 2000)) // the index of the board loads
  return {
    'leaderboard of 100': board,
    'a score, then the leaderboard of 100': () => score().then(board),
    'GET player': () => send(`${apps}/players/${any()}`, { headers }),
    rank: () => send(`${apps}/players/${any()}/global-ranking`, { headers }),
    'POST player': () =>
      send(`${apps}/players`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ displayName: `${names.begin} ${names.n++}` }),
      }),
    'PATCH score': score,
    'a page of 50 players': () => send(`${apps}/players?limit=50`, { headers }),
    'a file of 100 kB, stored': store,
    'a file of 100 kB, read': () => send(stored),
  }
}
