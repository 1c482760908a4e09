import { setTimeout as sleep } from 'node:timers/promises'
import { checkAccess } from '../../checks/access-revocation.ts'
import { checkChangePropagation, createTestPoint } from '../../checks/change-propagation.ts'
import { checkRanks, waitUntilQuiet } from '../../checks/rank-checks.ts'
import { createWriteRecorder } from '../../checks/write-recorder.ts'
import { seconds } from '../../figures.ts'
import { type Client, createClient, expectStatus } from '../../load/client.ts'
import { openGame } from '../../load/game.ts'
import { startWriters } from '../../load/writers.ts'
import { type Context, createFindings, type Findings, type Row } from '../../row.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

/** Longer than the change feed keeps changes (10 minutes) plus its tolerance (2 minutes): the process cannot read what it missed. */
const FORGOTTEN_MS = 780_000

/** F16: a process is suspended and resumed. */
export const stoppedProcess: Row = {
  id: 'F16',
  title: 'SIGSTOP of one of two processes, then SIGCONT',
  isLong: true,
  run: standStill,
}

async function standStill(context: Context) {
  const { times, scale, say } = context
  const wrong = createFindings()
  const site = await openTopologySite(context, {
    apis: 2,
    redis: true,
    settings: { CAIRN_TRUSTED_PROXIES: 'loopback' },
  })
  const { processes, sql } = site
  const [one, stopped, other] = [processes[0]!, processes[1]!, site.apis[1]!]
  const token = await site.token()
  const game = await openGame(one, token)
  const recorder = createWriteRecorder()
  const either = createClient(() => processes[Math.random() < 0.5 ? 0 : 1]!.url(), { patienceMs: 2000 })
  context.after(either.close)
  const rounds = times(1, 2, 10)
  const stoppedMs = times(6000, 30_000, 30_000)
  const lastMs = scale === 'long' ? FORGOTTEN_MS : stoppedMs
  let [requests, unanswered, longest] = [0, 0, 0]

  for (let round = 1; round <= rounds; round++) {
    // Both processes have cached the session and the first point; the stopped one cannot have received later changes.
    const leaving = { authorization: `Bearer ${await site.token()}` }
    for (const client of processes) await expectStatus(sessionOf(client, leaving))
    const gone = await createTestPoint(one, token)
    await gone.seenBy(processes, 1, 'made before the stop', wrong)
    const load = startWriters({ client: either, game, recorder, writers: 8 })
    await sleep(1000)
    const goOn = other.pause()
    const place = await createTestPoint(one, token)
    await gone.remove()
    await expectStatus(one.send({ method: 'POST', path: '/auth/sign-out', headers: leaving }))
    await sleep(stoppedMs)
    const figures = await load.stop()
    if (round === rounds) await sleep(lastMs - stoppedMs)
    requests += figures.requests
    const session = game.sessions[0]!.id
    const player = game.players[0]!
    recorder.scoreSent(session, player, 3_000_000 + round)
    const path = `/api/v1/apps/game-sessions/${session}/players/${player}`
    const headers = { 'x-app-api-key': game.key }
    const { status } = await one.send({ method: 'PATCH', path, headers, body: { score: 3_000_000 + round } })
    if (status === 200) recorder.scoreAcknowledged(session, player, 3_000_000 + round)
    else wrong.add('the other process did not continue', String(status))
    goOn()
    const asked = { method: 'GET', path: `/api/v1/apps/players/${player}/global-ranking`, headers }
    // On a new connection: kept-alive ones may have exceeded their idle time.
    const fresh = createClient(stopped.url)
    const rank = await fresh.send(asked)
    fresh.close()
    const body = 'body' in rank ? rank.body : {}
    // Requests that were queued before may be executed now, after later acknowledged ones.
    if (rank.status !== 200 || body.highestScore < 3_000_000 + round)
      wrong.add('it returned an outdated state', JSON.stringify(body))
    await mustBeSignedOut(stopped, leaving, wrong)
    const learned = [
      await place.seenBy(processes, 1, 'made during the stop', wrong),
      await gone.seenBy(processes, 0, 'deleted during the stop', wrong),
    ]
    await waitUntilQuiet(sql, game)
    unanswered = await recorder.check(sql, game.appId, wrong, { isHeldBack: true })
    await checkRanks(processes, sql, game, wrong)
    longest = Math.max(longest, ...learned, await checkChangePropagation(processes, token, wrong))
    await checkAccess(processes, { token, key: game.key, scale: context.scale }, wrong)
    say(`${round} of ${rounds}: ${wrong.any ? wrong.text() : 'right'}`)
  }
  return {
    what: `one of two processes stopped for ${stoppedMs / 1000} s${lastMs > stoppedMs ? ` (the last time ${lastMs / 1000} s, longer than the change feed keeps changes)` : ''} under 8 writers that go to either, while a point is created, another deleted and a session signed out; then continued, queried at once, and both checked`,
    count: `${rounds} stops, ${requests} requests, ${recorder.count} acknowledged`,
    criterion:
      '0 acknowledged writes lost except to a later one, none doubled; no rank from before the stop, no session signed out during it; ranks, places, codes and sign-outs correct at both',
    seen: `${wrong.any ? wrong.text() : 'all correct'}; ${unanswered} without a response were present; a change visible everywhere in ${seconds(longest)}`,
    passed: !wrong.any && recorder.count > 0,
  }
}

/** A sign-out takes effect in every process within a second; allow half a second more. */
const SIGNED_OUT_MS = 1500

const sessionOf = (client: Client, headers: Record<string, string>) =>
  client.send({ method: 'GET', path: '/api/v1/apps', headers })

/** Credentials revoked while the process was suspended must be invalid there as soon as elsewhere. */
async function mustBeSignedOut(client: Client, headers: Record<string, string>, wrong: Findings): Promise<void> {
  await sleep(SIGNED_OUT_MS)
  const { status } = await sessionOf(client, headers)
  if (status !== 401) wrong.add('a session signed out during the stop is still valid', String(status))
}
