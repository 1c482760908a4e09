import { setTimeout as sleep } from 'node:timers/promises'
import { checkRanks, loadRanks } from '../../checks/rank-checks.ts'
import { createWriteRecorder } from '../../checks/write-recorder.ts'
import { areLatenciesReliable, formatTimes, median } from '../../figures.ts'
import { openGame } from '../../load/game.ts'
import { startWriters, unexpectedStatuses } from '../../load/writers.ts'
import { createFindings, type Row } from '../../row.ts'
import { openEmbeddedSite } from '../../sites/embedded-site.ts'

/** The number of kills between full checks, so that a wrong rank is found near its cause. */
const CHECK_EVERY = 5

/** F1 on one process, started like `npm start`. */
export const serverKills: Row = {
  id: 'F1',
  title: 'SIGKILL of the server, one process',
  async run(context) {
    const { times, say } = context
    const kills = times(10, 30, 100)
    const wrong = createFindings()
    const site = await openEmbeddedSite(context)
    const game = await openGame(site.client, await site.token())
    const recorder = createWriteRecorder()
    const restarts: number[] = []
    let [requests, repeats, unanswered] = [0, 0, 0]

    for (let kill = 1; kill <= kills; kill++) {
      // Interrupted writes are retried until the next process responds, however long it takes to start.
      const load = startWriters({ client: site.client, game, recorder, repeats: 200 })
      await sleep(150 + Math.random() * 600)
      await site.end('SIGKILL')
      // Writers continue against the killed process's port for a moment, then reach the next process.
      restarts.push(await site.start())
      await loadRanks([site.client], game)
      await sleep(300)
      const figures = await load.stop()
      requests += figures.requests
      repeats += figures.repeats
      const strange = unexpectedStatuses(figures.statuses, 0, 200, 201, 409, 503)
      if (strange) wrong.add('unexpected statuses', strange)
      if (figures.malformed > 0) wrong.add('5xx without {error}', JSON.stringify(figures.statuses))
      if ((kill % CHECK_EVERY === 0 && context.scale !== 'short') || kill === kills) {
        unanswered = await recorder.check(site.sql, game.appId, wrong)
        await checkRanks([site.client], site.sql, game, wrong)
        say(`${kill} kills, ${recorder.count} writes acknowledged, ${wrong.any ? wrong.text() : 'all there'}`)
      }
    }
    const isJudged = areLatenciesReliable(context.scale)
    return {
      what: `SIGKILL at any moment under 16 writers (scores, players, points; Idempotency-Keys, repeats), then started again; ranks compared every ${CHECK_EVERY} kills`,
      count: `${kills} kills, ${requests} requests, ${recorder.count} acknowledged, ${repeats} repeats`,
      criterion: `0 acknowledged writes lost, none doubled, ranks and boards match the scores; ready again in 3 s (median${isJudged ? '' : '; not judged in the short form, nor on a busy machine'})`,
      seen: `${wrong.any ? wrong.text() : '0 lost, 0 doubled, 0 wrong ranks'}; ${unanswered} without a response were present; ready after ${formatTimes(restarts)}`,
      passed: !wrong.any && recorder.count > kills * 20 && (median(restarts) <= 3000 || !isJudged),
    }
  },
}
