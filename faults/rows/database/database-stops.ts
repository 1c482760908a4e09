import { setTimeout as sleep } from 'node:timers/promises'
import { faultsIn } from '../../checks/process-log.ts'
import { checkRanks } from '../../checks/rank-checks.ts'
import { createWriteRecorder } from '../../checks/write-recorder.ts'
import { formatTimes, graceMs, seconds } from '../../figures.ts'
import type { Client } from '../../load/client.ts'
import { openGame } from '../../load/game.ts'
import { startWriters, unexpectedStatuses, type WriterFigures } from '../../load/writers.ts'
import { type Context, createFindings, type Findings, type Row, type Scale } from '../../row.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

/** The time limit for error responses. */
const LATEST_MS = 2500
/** The time limit from PostgreSQL accepting connections to the first acknowledged write. */
const BACK_MS = 5000
const CRITERION =
  '0 lost, none doubled; requests return 503 {error} within 2.5 s and none hangs; writes again 5 s after PostgreSQL is back, without a restart'

/** F2, repeated. */
export const databaseStops: Row = {
  id: 'F2',
  title: 'PostgreSQL stops at once',
  run: (context) =>
    stopDatabase(context, {
      stops: context.times(3, 10, 20),
      awayMs: () => Math.random() * 1500,
      what: 'immediate stop',
    }),
}

/** F2, with a long outage. */
export const databaseAway: Row = {
  id: 'F2',
  title: 'PostgreSQL is away',
  isLong: true,
  run: (context) => {
    const awayMs = context.times(10_000, 60_000, 60_000)
    return stopDatabase(context, { stops: 1, awayMs: () => awayMs, what: `immediate stop, ${awayMs / 1000} s away` })
  },
}

type Stops = { stops: number; awayMs: () => number; what: string }

async function stopDatabase(context: Context, { stops, awayMs, what }: Stops) {
  const { say, scale } = context
  const wrong = createFindings()
  const site = await openTopologySite(context)
  const game = await openGame(site.client, await site.token())
  const recorder = createWriteRecorder()
  const recoveries: number[] = []
  let slowestFailureMs = 0
  let requests = 0
  let refusals = 0
  let unanswered = 0

  for (let stop = 1; stop <= stops; stop++) {
    const load = startWriters({ client: site.client, game, recorder, pauseMs: stops > 1 ? 0 : 20 })
    await sleep(300 + Math.random() * 500)
    await site.postgres.stopImmediate()
    await sleep(awayMs())
    const reading = await readWhileAway(site.client, game.key, wrong, scale)
    await site.postgres.start()
    recoveries.push(await untilWritten(site.client, game, recorder))
    const figures = await load.stop()
    judge(figures, wrong, scale)
    for (const fault of faultsIn(site.apis[0]!.output())) wrong.add('internal error', fault)
    requests += figures.requests
    refusals += figures.statuses[503] ?? 0
    slowestFailureMs = Math.max(slowestFailureMs, figures.slowestFailureMs, reading)
    unanswered = await recorder.check(site.sql, game.appId, wrong)
    await checkRanks(site.processes, site.sql, game, wrong)
    say(
      `${stop} stops, ${recorder.count} acknowledged, back after ${seconds(recoveries.at(-1)!)}, ${wrong.text() || 'all present'}`,
    )
  }
  if (Math.max(...recoveries) > BACK_MS + graceMs(scale)) wrong.add('writes recovered late', formatTimes(recoveries))
  return {
    what: `${what} under 16 writers, then started again; the server stays up; with reads of lists, boards and ranks`,
    count: `${stops} stops, ${requests} requests, ${recorder.count} acknowledged, ${refusals} refused with 503`,
    criterion: CRITERION,
    seen: `${wrong.any ? wrong.text() : '0 lost, 0 doubled, 0 wrong ranks'}; ${unanswered} without a response were present; slowest 503 ${seconds(slowestFailureMs)}; writes again after ${formatTimes(recoveries)}`,
    passed: !wrong.any && recorder.count > stops * 20 && refusals > 0,
  }
}

function judge({ statuses, malformed, slowestFailureMs, lost }: WriterFigures, wrong: Findings, scale: Scale) {
  const others = unexpectedStatuses(statuses, 200, 201, 409, 503)
  if (others) wrong.add('statuses other than 2xx and 503', others)
  if (malformed > 0) wrong.add('503 without {error}', JSON.stringify(statuses))
  if (lost.length > 0) wrong.add('requests without a response', JSON.stringify(lost))
  if (slowestFailureMs > LATEST_MS + graceMs(scale)) wrong.add('503 came late', seconds(slowestFailureMs))
}

/**
 * Checks every kind of read.
 * @returns the slowest, in ms
 */
async function readWhileAway(client: Client, key: string, wrong: Findings, scale: Scale): Promise<number> {
  const paths = ['apps/players', 'apps/leaderboards', 'apps/game-sessions'].map((path) => `/api/v1/${path}`)
  const asked = [...paths, '/api/gcp', '/api/location/pins?lat=1&lon=1', '/readyz', '/healthz']
  const answers = await Promise.all(
    asked.map((path) => client.send({ method: 'GET', path, headers: { 'x-app-api-key': key } })),
  )
  for (const [at, answer] of answers.entries()) {
    const isGood =
      answer.status === 200 || (answer.status === 503 && 'body' in answer && typeof answer.body === 'object')
    if (!isGood) wrong.add('a read returned neither 200 nor 503', `${asked[at]}: ${JSON.stringify(answer)}`)
    if (asked[at] === '/healthz' && answer.status !== 200) wrong.add('/healthz reported the process as dead')
    if (asked[at] === '/readyz' && answer.status === 200) wrong.add('/readyz reported the process as ready')
    if (answer.ms > LATEST_MS + graceMs(scale))
      wrong.add('a read was answered late', `${asked[at]}: ${seconds(answer.ms)}`)
  }
  return Math.max(...answers.map(({ ms }) => ms))
}

/**
 * Writes until a write is acknowledged.
 * @returns the time in milliseconds
 */
async function untilWritten(
  client: Client,
  { key }: { key: string },
  recorder: ReturnType<typeof createWriteRecorder>,
): Promise<number> {
  const start = performance.now()
  for (let attempt = 0; performance.now() - start < 30_000; attempt++) {
    const name = `Fault back ${start} ${attempt}`
    recorder.sent('player', name)
    const headers = { 'x-app-api-key': key }
    const answer = await client.send({
      method: 'POST',
      path: '/api/v1/apps/players',
      headers,
      body: { displayName: name },
    })
    if (answer.status === 200) {
      recorder.acknowledged('player', name, (answer as { body: { id: string } }).body.id)
      return performance.now() - start
    }
    await sleep(50)
  }
  return Number.POSITIVE_INFINITY
}
