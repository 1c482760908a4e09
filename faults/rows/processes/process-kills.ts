import { setTimeout as sleep } from 'node:timers/promises'
import { checkRanks, loadRanks, ranksFoundInRedis, waitUntilQuiet } from '../../checks/rank-checks.ts'
import { createWriteRecorder } from '../../checks/write-recorder.ts'
import { formatTimes } from '../../figures.ts'
import { openGame } from '../../load/game.ts'
import { startWriters, unexpectedStatuses } from '../../load/writers.ts'
import { createFindings, type Row } from '../../row.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

const CHECK_EVERY = 5

/** F1 on three processes: writers only see the load balancer and retry there. */
export const processKills: Row = {
  id: 'F1',
  title: 'SIGKILL of one of three processes behind HAProxy, ranks in Redis',
  isLong: true,
  async run(context) {
    const kills = context.times(3, 20, 100)
    const wrong = createFindings()
    const site = await openTopologySite(context, { apis: 3, redis: true, balancer: true })
    const game = await openGame(site.client, await site.token())
    const recorder = createWriteRecorder()
    const restarts: number[] = []
    let [requests, repeats, unanswered] = [0, 0, 0]
    const statuses: Record<string, number> = {}

    for (let kill = 1; kill <= kills; kill++) {
      const load = startWriters({ client: site.client, game, recorder })
      await loadRanks([site.client], game)
      await sleep(200 + Math.random() * 600)
      const one = site.apis[kill % site.apis.length]!
      await one.kill()
      // The other processes continue.
      await sleep(500)
      const start = performance.now()
      await one.start()
      await one.untilReady()
      restarts.push(performance.now() - start)
      await sleep(200)
      const figures = await load.stop()
      requests += figures.requests
      repeats += figures.repeats
      for (const [status, many] of Object.entries(figures.statuses)) statuses[status] = (statuses[status] ?? 0) + many
      // HAProxy itself returns 502 to 504.
      const strange = unexpectedStatuses(figures.statuses, 0, 200, 201, 409, 502, 503, 504)
      if (strange) wrong.add('unexpected statuses', strange)
      if (figures.malformed > 0) wrong.add('5xx without {error}', JSON.stringify(figures.statuses))
      if (kill % CHECK_EVERY === 0 || kill === kills) {
        await waitUntilQuiet(site.sql, game)
        unanswered = await recorder.check(site.sql, game.appId, wrong)
        await checkRanks(site.processes, site.sql, game, wrong)
        if ((await ranksFoundInRedis(site.processes)) === 0) wrong.add('no rank came from Redis')
        context.say(
          `${kill} kills, ${recorder.count} acknowledged, ${JSON.stringify(statuses)}, ${wrong.text() || 'all there'}`,
        )
      }
    }
    return {
      what: `SIGKILL of one of three processes behind HAProxy at any moment under 16 writers, then started again; ranks of every process compared every ${CHECK_EVERY} kills`,
      count: `${kills} kills, ${requests} requests, ${recorder.count} acknowledged, ${repeats} repeats`,
      criterion: '0 acknowledged writes lost, none doubled, ranks and boards of all three match the scores',
      seen: `${wrong.any ? wrong.text() : '0 lost, 0 doubled, 0 wrong ranks'}; ${unanswered} without a response were present; statuses ${JSON.stringify(statuses)}; ready after ${formatTimes(restarts)}`,
      passed: !wrong.any && recorder.count > kills * 20,
    }
  },
}
