import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { steadyPort } from '../../../server/test/programs/steady-port.ts'
import { areLatenciesReliable } from '../../figures.ts'
import { type Client, expectStatus } from '../../load/client.ts'
import { type Game, openGame, scoreEveryPlayer } from '../../load/game.ts'
import { startSender } from '../../load/sender.ts'
import { describeLatencies, isUnharmed, rankAndScoreCalls } from '../../load/steady-traffic.ts'
import { unexpectedStatuses } from '../../load/writers.ts'
import { createFindings, type Row } from '../../row.ts'
import { openEmbeddedSite } from '../../sites/embedded-site.ts'

const run = promisify(execFile)
const MB = 2 ** 20
const APPS = '/api/v1/apps'
const WEBHOOKS = 20
const BATCH = 200
const DIFFERENT_BATCHES = 50
/** How long the flood goes on for a webhook to be disabled. */
const DISABLED_MS = 60_000
/** The default bound of an app. */
const BOUND = 50_000
/** The longest time from one check of a backlog to the end of the next. */
const CHECK_SECONDS = 7
/** Waiting and deleted rows, and reusable space. */
const MAX_GROWTH = 350 * MB
/** `max_wal_size`, and what is written until a checkpoint ends. */
const MAX_WAL = 1200 * MB

/** F17: one app publishes as fast as possible to webhooks that never respond. */
export const eventFlood: Row = {
  id: 'F17',
  title: 'Flood of events for a dead host',
  async run(context) {
    const { times, scale, after, say } = context
    const wrong = createFindings()
    const host = `127.0.0.1:${await steadyPort()}`
    const site = await openEmbeddedSite(context, { CAIRN_WEBHOOK_HOSTS: host, CAIRN_LIMIT_KEY_PER_MINUTE: '6000' })
    const { client } = site
    const [game, attacker] = [
      startSender(context, client.url()),
      startSender(context, client.url(), { isAttacker: true }),
    ]
    const token = await site.token()
    const bystander = await openGame(client, token)
    const flooder = await openGame(client, token, { players: BATCH })
    await subscribe(client, flooder, host)
    await scoreEveryPlayer(client, bystander)
    // The first deliveries are slower than later ones.
    await scoreEveryPlayer(client, { ...flooder, players: flooder.players.slice(0, 1) })
    const traffic = { perSecond: 50, seconds: times(5, 20, 60), calls: rankAndScoreCalls(bystander) }
    await game.steady({ ...traffic, seconds: 2 })
    const quiet = await game.steady(traffic)

    const before = await bytesOf(site.folder)
    let [most, mostWal, waiting, isOver] = [before.data, 0, 0, false]
    after(() => {
      isOver = true
    })
    const beganAt = performance.now()
    const flooding = attacker.flood(
      Array.from({ length: DIFFERENT_BATCHES }, () => batchOf(flooder)),
      1,
    )
    const watching = (async () => {
      for (; !isOver; await sleep(1000)) {
        const { data, wal } = await bytesOf(site.folder)
        most = Math.max(most, data)
        mostWal = Math.max(mostWal, wal)
        const [row] = await site.sql(`select count(*)::int as waits from webhook_deliveries where status = 'PENDING'`)
        waiting = Math.max(waiting, row!.waits as number)
      }
    })()
    const meanwhile = await game.steady({ ...traffic, seconds: times(15, 60, 60) })
    // A busy machine may need longer to reach the bound, and to find that it was reached.
    let webhooks = await webhooksOf(client, flooder)
    for (const end = Date.now() + DISABLED_MS; !webhooks.some(isDisabled) && Date.now() < end; await sleep(500))
      webhooks = await webhooksOf(client, flooder)
    isOver = true
    const floodedFor = (performance.now() - beganAt) / 1000
    const [statuses] = await Promise.all([flooding.stop(), watching])
    const batches = statuses[200] ?? 0
    const rejected = unexpectedStatuses(statuses, 200, 429)
    if (rejected) wrong.add('a batch was rejected', rejected)
    const grown = Math.round((most - before.data) / MB)
    const wal = Math.round(mostWal / MB)
    say(
      `${batches} batches, ${waiting} waited at most, ${grown} MB more, WAL ${wal} MB; ${describeLatencies(quiet, meanwhile)}`,
    )

    const betweenChecks = Math.round((batches / floodedFor) * CHECK_SECONDS * BATCH * WEBHOOKS)
    if (batches === 0) wrong.add('nothing was published')
    if (most - before.data > MAX_GROWTH) wrong.add('the disk filled', `${grown} MB`)
    if (mostWal > MAX_WAL) wrong.add('the WAL filled the disk', `${wal} MB`)
    if (!webhooks.some(isDisabled)) wrong.add('no webhook was disabled', JSON.stringify(webhooks[0]))
    const isJudged = areLatenciesReliable(scale)
    // On a busy machine a check takes longer, and more is published between two of them.
    if (isJudged && waiting > BOUND + betweenChecks) wrong.add('too many deliveries waited', String(waiting))
    if (isJudged && !isUnharmed(quiet, meanwhile)) wrong.add('another app was slowed down')
    for (const [what, count] of Object.entries(meanwhile.others)) wrong.add(`another app got ${what}`, String(count))
    return {
      what: `batches of ${BATCH} scores, one after the other, of an app with ${WEBHOOKS} webhooks to a host that does not answer, beside 50 requests a second of another app`,
      count: `${batches} batches, ${batches * BATCH * WEBHOOKS} deliveries without bounds`,
      criterion: `at most ${BOUND} deliveries wait, and the ${betweenChecks} that were published in ${CHECK_SECONDS} s, between two checks${isJudged ? '' : ' (not judged here)'}; the database grows by ${MAX_GROWTH / MB} MB at most and its WAL has ${MAX_WAL / MB} MB at most, webhooks are disabled with a reason; the other app is answered, with p99 below twice the quiet one or 50 ms${isJudged ? '' : ' (not judged here)'}`,
      seen: `${wrong.any ? `${wrong.text()}; ` : ''}${waiting} waited at most, ${grown} MB more, WAL ${wal} MB, ${webhooks.filter(({ enabled }) => !enabled).length} webhooks disabled; ${describeLatencies(quiet, meanwhile)}`,
      passed: !wrong.any,
    }
  },
}

type Webhook = { enabled: boolean; disabledReason: string | null }

const isDisabled = ({ enabled, disabledReason }: Webhook) => !enabled && disabledReason?.includes('removed')

async function webhooksOf(client: Client, game: Game): Promise<Webhook[]> {
  const call = client.send({ method: 'GET', path: hooksOf(game), headers: owner(game) })
  return ((await expectStatus(call)).body as { webhooks: Webhook[] }).webhooks
}

const hooksOf = ({ appId }: Game) => `${APPS}/${appId}/webhooks`
const owner = ({ token }: Game) => ({ authorization: `Bearer ${token}` })

async function subscribe(client: Client, game: Game, host: string): Promise<void> {
  for (let i = 0; i < WEBHOOKS; i++)
    await expectStatus(
      client.send({
        method: 'POST',
        path: hooksOf(game),
        headers: owner(game),
        body: { url: `http://${host}/${i}`, eventTypes: ['score.updated'] },
      }),
    )
}

function batchOf({ key, sessions, players }: Game) {
  return {
    method: 'POST',
    path: `${APPS}/game-sessions/${sessions[0]!.id}/scores`,
    headers: { 'x-app-api-key': key },
    body: { scores: players.map((playerId) => ({ playerId, score: Math.random() * 1e6 })) },
  }
}

/** Returns the disk usage of the database's WAL, and of the rest without the ballast. */
async function bytesOf(folder: string): Promise<{ data: number; wal: number }> {
  const database = join(folder, 'database')
  const [all, wal] = await Promise.all([diskUsage(database), diskUsage(join(database, 'postgres', 'pg_wal'))])
  return { data: all - wal, wal }
}

async function diskUsage(folder: string): Promise<number> {
  // A file that vanishes meanwhile is an error of du, which still prints the sum.
  const { stdout } = await run('du', ['-skL', '--exclude=ballast*', folder]).catch((error: { stdout: string }) => error)
  return Number(stdout.split('\t')[0]) * 1024
}
