import { setTimeout as sleep } from 'node:timers/promises'
import { checkAccess } from '../../checks/access-revocation.ts'
import { checkChangePropagation } from '../../checks/change-propagation.ts'
import { checkRanks, waitUntilQuiet } from '../../checks/rank-checks.ts'
import { createWriteRecorder } from '../../checks/write-recorder.ts'
import { isBusy, seconds } from '../../figures.ts'
import { startSwitch } from '../../injection/address-switch.ts'
import { createClient } from '../../load/client.ts'
import { openGame } from '../../load/game.ts'
import { startWriters } from '../../load/writers.ts'
import { createFindings, type Row } from '../../row.ts'
import { type Sql, sqlAt } from '../../sites/sql.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

/** The recovery time limit after the promotion. */
const RECOVERY_MS = 30_000

/** F16: the primary is lost and its replica is promoted. */
export const failover: Row = {
  id: 'F16',
  title: 'PostgreSQL: the replica promoted while the primary is killed, two processes',
  isLong: true,
  async run(context) {
    const { times, after, say } = context
    const wrong = createFindings()
    let address: Awaited<ReturnType<typeof startSwitch>> | undefined
    const site = await openTopologySite(context, {
      apis: 2,
      redis: true,
      replica: true,
      settings: { CAIRN_TRUSTED_PROXIES: 'loopback' },
      through: async (part, url) => {
        if (part !== 'postgres') return url
        address ??= await startSwitch(Number(new URL(url).port))
        const through = new URL(url)
        through.port = String(address.port)
        return through.toString()
      },
    })
    after(() => address?.stop())
    await synchronous(site.sql)
    const { processes } = site
    const token = await site.token()
    const game = await openGame(processes[0]!, token)
    let turn = 0
    const both = createClient(() => processes[++turn % processes.length]!.url())
    after(both.close)
    const recorder = createWriteRecorder()
    let lastGood = 0
    const gaps: number[] = []
    const load = startWriters({
      client: both,
      game,
      recorder,
      seen: (_call, { status }) => {
        if (status < 200 || status >= 300) return
        const now = performance.now()
        if (lastGood > 0) gaps.push(now - lastGood)
        lastGood = now
      },
    })
    await sleep(times(1500, 5000, 20_000))

    await site.postgres.kill()
    address!.leadTo(undefined)
    const startedAt = performance.now()
    await site.replica!.promote()
    address!.leadTo(site.replica!.port)
    const promoted = performance.now()
    say(`promoted after ${seconds(promoted - startedAt)}`)
    const acknowledgedThen = recorder.count
    while (recorder.count < acknowledgedThen + 50 && performance.now() - promoted < 2 * RECOVERY_MS) await sleep(100)
    const recovered = performance.now() - promoted
    await sleep(times(1000, 5000, 20_000))
    const figures = await load.stop()

    const sql = sqlAt(site.replica!.url)
    await waitUntilQuiet(sql, game)
    const unanswered = await recorder.check(sql, game.appId, wrong)
    await checkRanks(processes, sql, game, wrong)
    const reach = await checkChangePropagation(processes, token, wrong)
    await checkAccess(processes, { token, key: game.key, scale: context.scale }, wrong)
    if (figures.malformed > 0) wrong.add('5xx without {error}', String(figures.malformed))
    if (recorder.count < acknowledgedThen + 50) wrong.add('writes did not resume')
    else if (recovered > RECOVERY_MS && !isBusy()) wrong.add('writes resumed late', seconds(recovered))
    return {
      what: 'a primary with a synchronous replica, killed under 16 writers at two processes; the replica promoted, the address switched to it; then ranks, places, codes and sign-outs checked at both',
      count: `1 failover, ${figures.requests} requests, ${recorder.count} acknowledged`,
      criterion: `0 acknowledged writes lost, none doubled, ranks correct, both processes see each other's changes, writes resume without a restart within ${RECOVERY_MS / 1000} s`,
      seen: `${wrong.any ? wrong.text() : '0 lost, ranks and places correct'}; ${unanswered} without a response were present; statuses ${JSON.stringify(figures.statuses)}; 50 writes ${seconds(recovered)} after the promotion; longest without a write ${seconds(Math.max(...gaps))}; a change visible everywhere in ${seconds(reach)}`,
      passed: !wrong.any,
    }
  },
}

/** Commits are acknowledged only after the replica has flushed them too. */
async function synchronous(sql: Sql): Promise<void> {
  await sql(`alter system set synchronous_standby_names = '*'`)
  await sql('select pg_reload_conf()')
  for (let i = 0; i < 200; i++) {
    const [row] = await sql<{ state: string }>('select sync_state as state from pg_stat_replication')
    if (row?.state === 'sync') return
    await sleep(100)
  }
  throw new Error('the replica does not follow synchronously')
}
