import { setTimeout as sleep } from 'node:timers/promises'
import { faultsIn } from '../../checks/process-log.ts'
import { checkRanks, waitUntilQuiet } from '../../checks/rank-checks.ts'
import { createWriteRecorder } from '../../checks/write-recorder.ts'
import { seconds } from '../../figures.ts'
import { type FaultProxy, startProxy } from '../../injection/proxy.ts'
import { type Answer, type Client, createClient, type Lost } from '../../load/client.ts'
import { type Game, openGame } from '../../load/game.ts'
import { startWriters } from '../../load/writers.ts'
import { type Context, createFindings, type Row } from '../../row.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

/** The time limit for the node that stays connected. */
const OTHER_MS = 10_000
/** The time limit for the isolated node: 30 s for a statement plus 5 s when its server does not respond. */
const BOUND_MS = 40_000

/** F11: one of two nodes is isolated from PostgreSQL; connections stay open and nothing arrives. */
export const partitionFromPostgres: Row = {
  id: 'F11',
  title: 'one of two nodes cut off from PostgreSQL',
  isLong: true,
  run: (context) => partition(context, 'postgres'),
}

/** F11, from Redis, which the service can do without. */
export const partitionFromRedis: Row = {
  id: 'F11',
  title: 'one of two nodes cut off from Redis',
  isLong: true,
  run: (context) => partition(context, 'redis'),
}

async function partition(context: Context, from: 'postgres' | 'redis') {
  const rounds = context.times(1, 2, 6)
  const awayMs = context.times(6_000, 20_000, 60_000)
  const wrong = createFindings()
  let proxy: FaultProxy | undefined
  const site = await openTopologySite(context, {
    apis: 2,
    redis: true,
    through: async (part, url, process) => {
      if (part !== from || process !== 1) return url
      const { hostname, port } = new URL(url)
      proxy ??= await startProxy({ host: hostname, port: Number(port) })
      const through = new URL(url)
      through.port = String(proxy.port)
      return through.toString()
    },
  })
  context.after(() => proxy?.stop())
  const [one, other] = site.apis.map(({ url }) => url) as [string, string]
  const game = await openGame(site.client, await site.token())
  const recorder = createWriteRecorder()
  const patient = (url: string) => createClient(() => url, { patienceMs: BOUND_MS + 5000 })
  // Like a load balancer: any node, and the next one without a response.
  const either = createClient(() => (Math.random() < 0.5 ? one : other), {
    patienceMs: from === 'postgres' ? 6000 : OTHER_MS,
  })
  const cutOff = patient(other)
  const part = (from: number, to: number): Game => ({ ...game, players: game.players.slice(from, to) })
  let [requests, unanswered, slowestOther, slowestCutOff, during] = [0, 0, 0, 0, 0]
  const back: number[] = []

  for (let round = 0; round < rounds; round++) {
    const steady = startWriters({
      client: patient(one),
      game: part(0, 8),
      recorder,
      writers: 4,
      pauseMs: 5,
      seen: ({ method, path }, answer) => {
        if (!isGood(answer) && !(from === 'postgres' && isLocked(answer)))
          wrong.add('the other node did not continue', `${method} ${path}: ${JSON.stringify(answer)}`)
      },
    })
    const anywhere = startWriters({
      client: either,
      game: part(8, 32),
      recorder,
      writers: 12,
      pauseMs: 5,
      seen: ({ method, path }, answer) => {
        if (from === 'redis' && (answer.status === 0 || answer.status >= 500))
          wrong.add('a write failed without Redis', `${method} ${path}: ${JSON.stringify(answer)}`)
      },
    })
    await sleep(1000)
    const before = recorder.count
    // Bytes are delayed until the network recovers, or lost.
    proxy!.set(round % 2 === 0 ? { halfOpen: true } : { drop: true })
    const probes = probe(cutOff, game)
    await sleep(3000)
    if (from === 'postgres') {
      const ready = await cutOff.send({ method: 'GET', path: '/readyz' })
      if (ready.status !== 503 || ready.ms > 5000)
        wrong.add('the isolated node reports ready', JSON.stringify(ready.status))
    }
    await sleep(awayMs - 3000)
    during += recorder.count - before
    proxy!.set()
    back.push(await untilGood(cutOff, game))
    const [figures, others] = [await steady.stop(), await anywhere.stop()]
    requests += figures.requests + others.requests
    if (from === 'redis') slowestCutOff = Math.max(slowestCutOff, others.slowestMs)
    slowestOther = Math.max(slowestOther, figures.slowestMs)
    if (others.malformed + figures.malformed > 0) wrong.add('5xx without {error}', JSON.stringify(others.statuses))
    for (const answer of await probes) {
      slowestCutOff = Math.max(slowestCutOff, answer.ms)
      if (answer.status === 0) wrong.add('no response from the isolated node', (answer as Lost).code)
      if (answer.status >= 500 && answer.status !== 503) wrong.add('neither 2xx nor 503', String(answer.status))
      if (from === 'redis' && answer.status !== 200) wrong.add('failed without Redis', JSON.stringify(answer))
    }
    for (const { output } of site.apis) for (const fault of faultsIn(output())) wrong.add('internal error', fault)
    await waitUntilQuiet(site.sql, game)
    unanswered = await recorder.check(site.sql, game.appId, wrong, { isHeldBack: true })
    await checkRanks(site.processes, site.sql, game, wrong)
    context.say(
      `${round + 1} rounds, ${recorder.count} acknowledged, ${JSON.stringify([figures.statuses, others.statuses])}, ${wrong.text() || 'all there'}`,
    )
  }
  if (slowestOther > OTHER_MS) wrong.add('the other node was slow', seconds(slowestOther))
  if (slowestCutOff > BOUND_MS) wrong.add('the isolated node exceeded the time limit', seconds(slowestCutOff))
  if (Math.max(...back) > BOUND_MS) wrong.add('the isolated node recovered late', back.map(seconds).join(', '))
  return {
    what: `the connections of one of two nodes to ${from === 'redis' ? 'Redis' : 'PostgreSQL'} half open for ${awayMs / 1000} s (bytes held back, then lost), under 16 writers, 12 of which send to either node and repeat at any`,
    count: `${rounds} partitions, ${requests} requests, ${recorder.count} acknowledged, ${during} of them during the partition`,
    criterion: `0 lost, none applied twice under one Idempotency-Key; the other node continues${from === 'postgres' ? ', except for rows that the cut-off node has locked (503 within 2 s)' : ''}, slowest response in ${OTHER_MS / 1000} s; the cut-off node ${from === 'postgres' ? `responds in ${BOUND_MS / 1000} s and reports that it is not ready` : `does the same in ${OTHER_MS / 1000} s`}; ranks of both match the scores`,
    seen: `${wrong.any ? wrong.text() : '0 lost, 0 doubled, 0 wrong ranks'}; ${unanswered} without a response were present; slowest response of the other node ${seconds(slowestOther)}, of the cut-off node ${seconds(slowestCutOff)}; recovered after ${back.map(seconds).join(', ')}`,
    passed: !wrong.any && during > 20,
  }
}

const isGood = ({ status }: Answer | Lost) => status === 200 || status === 201

/** PostgreSQL keeps the locks of the isolated node until it closes its connections; other writers get 503. */
const isLocked = (answer: Answer | Lost) =>
  answer.status === 503 && /is locked by another request/.test((answer as Answer).body?.error ?? '')

/** Runs one read of each kind at the isolated node, all at once. */
function probe(client: Client, { key, players }: Game) {
  const paths = ['leaderboards', 'players?limit=5', 'game-sessions', `players/${players[0]}`]
  const headers = { 'x-app-api-key': key }
  const apps = paths.map((path) => `/api/v1/apps/${path}`)
  return Promise.all([...apps, '/api/gcp?limit=2'].map((path) => client.send({ method: 'GET', path, headers })))
}

/**
 * Polls until the request succeeds.
 * @returns the time in milliseconds
 */
async function untilGood(client: Client, { key }: Game): Promise<number> {
  const start = performance.now()
  const call = { method: 'GET', path: '/api/v1/apps/players?limit=1', headers: { 'x-app-api-key': key } }
  while (performance.now() - start < 2 * BOUND_MS) {
    if ((await client.send(call)).status === 200) return performance.now() - start
    await sleep(100)
  }
  return Number.POSITIVE_INFINITY
}
