import { setTimeout as sleep } from 'node:timers/promises'
import { openBoxSite } from '../box-site.ts'
import { doWaitsTell, median, slowest } from '../figures.ts'
import { openGame } from '../game.ts'
import { startLoad, unlike } from '../load.ts'
import { createRecorder } from '../recorder.ts'
import { checkRanks, loadRanks } from '../recorder-ranks.ts'
import { complaints, type Row } from '../row.ts'

/** Checked in full after so many kills, so that a wrong rank is found near the kill that made it. */
const CHECK_EVERY = 5

/** F1 on one process, as `npm start` gives it. */
export const serverKills: Row = {
  id: 'F1',
  title: 'SIGKILL of the server, one process',
  async run(context) {
    const { times, say } = context
    const kills = times(10, 30, 100)
    const wrong = complaints()
    const site = await openBoxSite(context)
    const game = await openGame(site.client, await site.token())
    const recorder = createRecorder()
    const restarts: number[] = []
    let [requests, repeats, unanswered] = [0, 0, 0]

    for (let kill = 1; kill <= kills; kill++) {
      // What was cut off is repeated until the next process answers, however long that takes to start.
      const load = startLoad({ client: site.client, game, recorder, repeats: 200 })
      await sleep(150 + Math.random() * 600)
      await site.end('SIGKILL')
      // Writers go on against the port of the killed process for a moment, then send again to the next one.
      restarts.push(await site.start())
      await loadRanks([site.client], game)
      await sleep(300)
      const figures = await load.stop()
      requests += figures.requests
      repeats += figures.repeats
      const strange = unlike(figures.statuses, 0, 200, 201, 409, 503)
      if (strange) wrong.add('answers that are neither good nor say to come again', strange)
      if (figures.malformed > 0) wrong.add('5xx without {error}', JSON.stringify(figures.statuses))
      if ((kill % CHECK_EVERY === 0 && context.scale !== 'short') || kill === kills) {
        unanswered = await recorder.check(site.sql, game.appId, wrong)
        await checkRanks([site.client], site.sql, game, wrong)
        say(`${kill} kills, ${recorder.count} writes acknowledged, ${wrong.some ? wrong.text() : 'all there'}`)
      }
    }
    const isJudged = doWaitsTell(context.scale)
    return {
      what: `SIGKILL at any moment under 16 writers (scores, players, points; Idempotency-Keys, repeats), then started again; ranks compared every ${CHECK_EVERY} kills`,
      count: `${kills} kills, ${requests} requests, ${recorder.count} acknowledged, ${repeats} repeats`,
      criterion: `0 acknowledged writes lost, none doubled, ranks and boards those of the scores; ready again in 3 s (median${isJudged ? '' : '; not judged in the short form, nor on a busy machine'})`,
      seen: `${wrong.some ? wrong.text() : '0 lost, 0 doubled, 0 wrong ranks'}; ${unanswered} without an answer were there; ready after ${slowest(restarts)}`,
      passed: !wrong.some && recorder.count > kills * 20 && (median(restarts) <= 3000 || !isJudged),
    }
  },
}
