import { createHash, randomBytes } from 'node:crypto'
import { isBusy, seconds } from '../../figures.ts'
import { type S3Weather, startS3Faults } from '../../injection/s3-faults.ts'
import { type Answer, type Client, describeOutcome, expectStatus, type Lost } from '../../load/client.ts'
import { openGame, scoreEveryPlayer } from '../../load/game.ts'
import { describeLatencies, isUnharmed, steadyTraffic, type Traffic } from '../../load/steady-traffic.ts'
import { everyUpload, form } from '../../load/upload-kinds.ts'
import { untilReady } from '../../machines/service.ts'
import { createFindings, type Findings, type Row } from '../../row.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

/** The time limit for storage operations. */
const BOUND_MS = 10_000
/** In normal operation the response to a model waits for its conversion. */
const CONVERT_WAIT_MS = 10_000
/** Extra time on a busy machine; requests that hang are still reported. */
const graceMs = () => (isBusy() ? 20_000 : 0)
/** Files that are read from the storage each time, and one that stays in memory once it was read. */
const SIZES = [300_000, 3_000_000]
const SMALL = 1000

/** F7: the storage fails in several ways. */
export const s3Unavailable: Row = {
  id: 'F7',
  title: 'S3 down, failing, slow, and returning wrong bytes',
  isLong: true,
  async run(context) {
    const { times, after, say } = context
    const wrong = createFindings()
    let proxy: Awaited<ReturnType<typeof startS3Faults>> | undefined
    const site = await openTopologySite(context, {
      s3: true,
      through: async (part, url) => {
        if (part !== 's3') return url
        proxy ??= await startS3Faults(url)
        return proxy.url
      },
    })
    after(() => proxy?.stop())
    const { client } = site
    const game = await openGame(client, await site.token())
    const uploads = await everyUpload(client, game)
    const kept = await Promise.all(SIZES.map((size) => keep(client, randomBytes(size))))
    for (const { name, send } of uploads) if (!isGood(await send())) wrong.add(`${name} was refused without a fault`)
    const traffic = { perSecond: 100, seconds: times(2, 8, 20), calls: callsOf(game) }
    await scoreEveryPlayer(client, game)
    await steadyTraffic(client, { ...traffic, seconds: 1 })
    const quiet = await steadyTraffic(client, traffic)

    let small = await keep(client, randomBytes(SMALL))
    let longestMs = 0
    let tried = 0
    const meanwhiles: Traffic[] = []
    const tryAll = async (state: string, isBroken: boolean) => {
      const downloads = [small, ...kept].map(async ({ path }) => client.send({ method: 'GET', path }))
      const sent = uploads.map(async ({ name, send }) => ({ name, answer: await send() }))
      const answers = [
        ...(await Promise.all(sent)),
        ...(await Promise.all(downloads)).map((answer) => ({ name: 'a download', answer })),
      ]
      for (const { name, answer } of answers) {
        tried++
        if (isBroken) longestMs = Math.max(longestMs, answer.ms)
        if (answer.ms > BOUND_MS + graceMs() + (isBroken ? 0 : CONVERT_WAIT_MS))
          wrong.add(`${name} took longer than ${BOUND_MS / 1000} s`, `${state}: ${Math.round(answer.ms)} ms`)
        const isRight = isBroken ? answer.status === 503 && typeof answer.body?.error === 'string' : isGood(answer)
        if (!isRight) wrong.add(`${name} got a wrong response`, `${state}: ${describeOutcome(answer)}`)
      }
    }
    const healthIs = async (state: string, ready: number, objects: string) => {
      const seen = await client.send({ method: 'GET', path: '/readyz' })
      const health = await client.send({ method: 'GET', path: '/healthz' })
      const checks = 'body' in seen ? seen.body.checks : {}
      if (seen.status !== ready || checks.objects !== objects || checks.database !== 'ok' || health.status !== 200)
        wrong.add('health', `${state}: ${describeOutcome(seen)}, ${health.status}`)
    }

    const states: [string, () => unknown, () => unknown][] = [
      ['gone', () => site.s3!.killGateway(), () => site.s3!.startGateway()],
      ['frozen', () => site.s3!.freezeGateway(), () => site.s3!.thawGateway()],
      ...(['returns 500', 'is 30 s slow'] as S3Weather[]).map((weather): [string, () => unknown, () => unknown] => [
        weather,
        () => proxy!.set(weather),
        () => proxy!.set('fair'),
      ]),
    ]
    const rounds = times(1, 1, 10)
    for (let round = 0; round < rounds; round++)
      for (const [state, begin, end] of states) {
        small = await keep(client, randomBytes(SMALL))
        await begin()
        const [meanwhile] = await Promise.all([
          steadyTraffic(client, traffic),
          tryAll(state, true),
          healthIs(state, 503, 'failed'),
        ])
        meanwhiles.push(meanwhile)
        await end()
        await untilReady(client.url())
        await tryAll(`after it was ${state}`, false)
        await healthIs(`after it was ${state}`, 200, 'ok')
        say(`${state}: ${describeLatencies(quiet, meanwhile)}; ${wrong.any ? wrong.text() : 'right'}`)
      }

    small = await keep(client, randomBytes(SMALL))
    proxy!.set('returns wrong bytes')
    for (const file of [small, ...kept]) await mustNotPass(client, file, wrong)
    proxy!.set('fair')
    for (const { path, sha256 } of [small, ...kept])
      if ((await bytesAt(client, path)) !== sha256) wrong.add('a file was still wrong after the storage recovered')

    const worst = meanwhiles.toSorted((a, b) => b.p99 - a.p99)[0]!
    for (const one of [quiet, ...meanwhiles])
      for (const [what, count] of Object.entries(one.others))
        wrong.add(`requests without storage got ${what}`, String(count))
    const isJudged = !isBusy()
    if (isJudged && !isUnharmed(quiet, worst)) wrong.add('requests without storage were slow')
    return {
      what: `a RADOS Gateway that is ${states.map(([state]) => state).join(', ')}, and returns wrong bytes; downloads and every way to upload, beside 100 requests a second that use only the database`,
      count: `${rounds * states.length} faults, ${tried} uploads and downloads, ${meanwhiles.reduce((all, { good }) => all + good, 0)} requests beside them`,
      criterion: `503 with {error} within ${BOUND_MS / 1000} s, accepted again without intervention afterwards; requests that use only the database succeed, p99 below twice the quiet one or 50 ms${isJudged ? '' : ' (not judged on a busy machine)'}; /readyz reports objects as failed, /healthz 200; no file with a known hash is served with wrong bytes`,
      seen: `${wrong.any ? `${wrong.text()}; ` : ''}longest wait ${seconds(longestMs)}; ${describeLatencies(quiet, worst)}`,
      passed: !wrong.any,
    }
  },
}

type Kept = { path: string; sha256: string }

async function keep(client: Client, bytes: Uint8Array): Promise<Kept> {
  const sent = form({ name: 'files', fileName: 'kept.bin', bytes })
  const { body } = await expectStatus(client.send({ method: 'POST', path: '/api/upload', ...sent }))
  return { path: new URL(body.results[0].url).pathname, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** @returns the hash of the received bytes, or undefined when the download was rejected or interrupted */
async function bytesAt(client: Client, path: string): Promise<string | undefined> {
  try {
    const answer = await fetch(client.url() + path)
    const bytes = Buffer.from(await answer.arrayBuffer())
    return answer.status === 200 ? createHash('sha256').update(bytes).digest('hex') : undefined
  } catch {
    return undefined
  }
}

async function mustNotPass(client: Client, { path, sha256 }: Kept, wrong: Findings): Promise<void> {
  const came = await bytesAt(client, path)
  if (came === sha256) wrong.add('the fault did not change any byte: nothing was tested')
  else if (came !== undefined) wrong.add('wrong bytes were served', path)
}

const isGood = ({ status }: Answer | Lost) => status >= 200 && status < 300

/** Requests that need only the database. */
function callsOf(game: Awaited<ReturnType<typeof openGame>>) {
  const headers = { 'x-app-api-key': game.key }
  const session = game.sessions[0]!.id
  let turn = 0
  return () => {
    const player = game.players[++turn % game.players.length]!
    const path = `/api/v1/apps/game-sessions/${session}/players/${player}`
    if (turn % 5 === 0) return { method: 'PATCH', path, headers, body: { score: turn } }
    return { method: 'GET', path: `/api/v1/apps/players/${player}/global-ranking`, headers }
  }
}
