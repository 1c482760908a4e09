import { setTimeout as sleep } from 'node:timers/promises'
import { areLatenciesReliable, seconds } from '../../figures.ts'
import { type Client, expectStatus } from '../../load/client.ts'
import { type Game, openGame, scoreEveryPlayer } from '../../load/game.ts'
import { type Slowness, type SlowSocket, slowSocket } from '../../load/slow-sockets.ts'
import { describeLatencies, isUnharmed, steadyTraffic } from '../../load/steady-traffic.ts'
import { createFindings, type Row } from '../../row.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

const KINDS: Slowness[] = ['headers', 'body', 'form', 'reader']
const FILE_BYTES = 24 * 2 ** 20
/** Seconds after which they must be disconnected, by docs/limits.md. */
const HEADERS_SECONDS = 15
const SLOW_BODY_SECONDS = 4
const BOUNDS: Record<Slowness, number> = {
  headers: HEADERS_SECONDS,
  body: SLOW_BODY_SECONDS,
  form: SLOW_BODY_SECONDS,
  reader: 2 * SLOW_BODY_SECONDS,
}

/** Time to connect all of them and to fill the readers' buffers, which is not the service's. */
const lateMs = (kind: Slowness) => 1250 * BOUNDS[kind] + 3000

/** F10: many slow connections beside normal traffic. */
export const slowClients: Row = {
  id: 'F10',
  title: 'Slow headers, bodies and readers beside normal traffic',
  async run(context) {
    const { times, scale, after, say } = context
    const wrong = createFindings()
    const slow = times(200, 500, 2000)
    const perSecond = 200
    const site = await openTopologySite(context, { settings: { CAIRN_SLOW_BODY_SECONDS: String(SLOW_BODY_SECONDS) } })
    const { client } = site
    const game = await openGame(client, await site.token())
    const file = await largeFile(client)
    const quiet = { perSecond, seconds: times(2, 10, 30), calls: callsOf(game) }
    // The first requests are slower than later ones.
    await scoreEveryPlayer(client, game)
    await steadyTraffic(client, { ...quiet, seconds: 1 })
    const before = await steadyTraffic(client, quiet)

    const sockets = Array.from({ length: slow }, (_, at) =>
      slowSocket(KINDS[at % KINDS.length]!, client.url(), { file }),
    )
    after(() => {
      for (const { end } of sockets) end()
    })
    // Readers detect the end only when they read: ask the service from the start.
    const readersGone = scale === 'short' ? undefined : timeUntilCut(client, slow / KINDS.length)
    // Senders detect the end.
    readersGone?.catch(() => {})
    // The system buffers of a response are filled like a normal download.
    await sleep(times(1000, 4000, 4000))
    const meanwhile = await steadyTraffic(client, { ...quiet, seconds: times(3, 10, 10) })
    say(describeLatencies(before, meanwhile))
    // The short form waits only for those with short limits.
    const waited = scale === 'short' ? sockets.filter(({ kind }) => kind === 'body' || kind === 'form') : sockets
    const cuts = await cutTimes(waited, readersGone)
    for (const one of waited) {
      if (!isCut(one)) wrong.add(`slow ${one.kind} not disconnected`, `${BOUNDS[one.kind]} s by docs/limits.md`)
      else if (one.kind !== 'reader' && !/^HTTP\/1.1 408 .*\{"error":/s.test(one.answer()))
        wrong.add(`slow ${one.kind} not told 408`, one.answer())
    }
    const afterwards = await steadyTraffic(client, quiet)
    const worst = before.p99 > afterwards.p99 ? before : afterwards
    // On a busy machine both include its other work, as does 503 after ten seconds without a connection.
    const isJudged = areLatenciesReliable(scale)
    for (const one of [before, meanwhile, afterwards])
      for (const [what, count] of Object.entries(one.others))
        if (isJudged || what !== '503') wrong.add(`normal requests answered ${what}`, String(count))
    if (isJudged && !isUnharmed(worst, meanwhile)) wrong.add('normal requests were slow')
    for (const kind of KINDS)
      if (isJudged && (cuts[kind] ?? 0) > lateMs(kind)) wrong.add(`slow ${kind} cut late`, seconds(cuts[kind]!))
    const cutsByKind = KINDS.map((kind) => cuts[kind] && `${kind} after ${seconds(cuts[kind])} at most`).filter(Boolean)
    return {
      what: `${slow} connections that trickle headers or a body, stop in a form or read nothing of a response, beside ${perSecond} normal requests a second (scores, ranks, lists); CAIRN_SLOW_BODY_SECONDS=${SLOW_BODY_SECONDS}`,
      count: `${slow} slow connections, ${meanwhile.good} normal requests in that time`,
      criterion: `all normal requests succeed, with p99 below twice the quiet one or 50 ms${isJudged ? '' : ' (waits, and 503 after them, are not judged in the short form or on a busy machine)'}; slow ones are disconnected within the times in docs/limits.md`,
      seen: `${wrong.any ? `${wrong.text()}; ` : ''}${describeLatencies(worst, meanwhile)}; cut: ${cutsByKind.join(', ')}`,
      passed: !wrong.any,
    }
  },
}

/** A reader that then receives the whole file was not disconnected. */
const isCut = (one: SlowSocket) => one.isCut() && one.bytes() < FILE_BYTES

/** Waits until all are disconnected, or for 1.5 times the longest limit, and ten seconds for a busy machine. @returns the longest time of each kind */
async function cutTimes(
  sockets: SlowSocket[],
  readersGone: Promise<number> | undefined,
): Promise<Partial<Record<Slowness, number>>> {
  const longest = Math.max(...sockets.map(({ kind }) => BOUNDS[kind]))
  const tooLate = sleep(longest * 1500 + 10_000)
  const readers = sockets.filter(({ kind }) => kind === 'reader')
  const readOn = readersGone?.then(async () => {
    for (const one of readers) one.readOn()
    await Promise.race([Promise.all(readers.map(({ cut }) => cut)), sleep(10_000)])
  })
  const others = sockets.filter(({ kind }) => kind !== 'reader').map(({ cut }) => cut)
  await Promise.all([readOn, Promise.race([Promise.all(others), tooLate])])
  const found: Partial<Record<Slowness, number>> = {}
  for (const one of sockets)
    if (isCut(one)) {
      const after = one.kind === 'reader' ? await readersGone! : await one.cut
      found[one.kind] = Math.max(found[one.kind] ?? 0, after)
    }
  return found
}

/** @returns milliseconds until the service reports that many disconnected readers; otherwise, until the last check */
async function timeUntilCut(client: Client, count: number): Promise<number> {
  const began = performance.now()
  const passed = () => performance.now() - began
  while (passed() < BOUNDS.reader * 1500 + 10_000) {
    const { body } = await expectStatus(client.send({ method: 'GET', path: '/metrics' }))
    if (Number(/^cairn_slow_readers_total (\d+)/m.exec(body)?.[1]) >= count) break
    await sleep(250)
  }
  return passed()
}

async function largeFile(client: Client): Promise<string> {
  const body = { fileName: 'large.bin', contentType: 'application/octet-stream', fileSize: FILE_BYTES }
  const { uploadUrl, url } = (await expectStatus(client.send({ method: 'POST', path: '/api/upload/presigned', body })))
    .body
  const headers = { 'content-type': 'application/octet-stream' }
  await expectStatus(client.send({ method: 'PUT', path: uploadUrl, headers, body: Buffer.alloc(FILE_BYTES, 7) }))
  return new URL(url).pathname
}

/** Four reads for each write. */
function callsOf(game: Game) {
  const headers = { 'x-app-api-key': game.key }
  const session = game.sessions[0]!.id
  let turn = 0
  return () => {
    const player = game.players[++turn % game.players.length]!
    const path = (words: string) => `/api/v1/apps/${words}`
    if (turn % 5 === 0)
      return {
        method: 'PATCH',
        path: path(`game-sessions/${session}/players/${player}`),
        headers,
        body: { score: turn },
      }
    if (turn % 5 === 1) return { method: 'GET', path: path('leaderboards/mini-game'), headers }
    return { method: 'GET', path: path(`players/${player}/global-ranking`), headers }
  }
}
