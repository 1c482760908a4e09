import { setTimeout as sleep } from 'node:timers/promises'
import { checkRanks } from '../../checks/rank-checks.ts'
import { createWriteRecorder } from '../../checks/write-recorder.ts'
import { areLatenciesReliable, formatTimes, graceMs, seconds } from '../../figures.ts'
import { startBackgroundTraffic } from '../../load/background-traffic.ts'
import { createClient } from '../../load/client.ts'
import { openGame } from '../../load/game.ts'
import { startWriters, unexpectedStatuses } from '../../load/writers.ts'
import { createFindings, type Row, type Scale } from '../../row.ts'
import { openEmbeddedSite } from '../../sites/embedded-site.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

const LATEST_MS = 10_000
/** Longer beside other tests: it needs time to report the shutdown, and to answer running requests. */
const DRAIN_SECONDS = { short: 10, ordinary: 2, long: 2 }
/** A request sent this long before the listener closes has arrived, also on a busy machine. */
const ON_ITS_WAY_MS = { short: 7000, ordinary: 800, long: 800 }
const LOOK_MS = 50
/** A process without a response for so long hangs. */
const ANSWERED_WITHIN_MS = { short: 15_000, ordinary: 5000, long: 5000 }
/** Load above which the machine is busy. */
const TOLD_WITHIN_MS = 1000
/** For a player without a score. */
const NO_RANK_YET = 404

/** Polls /readyz of a stopping process until it no longer listens, as load balancers do.
 * @returns the fault, or undefined if it returned 503, within a second where latencies are judged, and nothing else afterwards */
async function readinessUntilGone(url: string, scale: Scale): Promise<string | undefined> {
  const stoppedAt = performance.now()
  let saidSo: number | undefined
  for (;;) {
    try {
      const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS[scale]) })
      if (status === 503) saidSo ??= performance.now() - stoppedAt
      else if (saidSo !== undefined) return `${status} after it had said 503`
    } catch (error) {
      if ((error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED') break
      if ((error as Error).name === 'TimeoutError') return `no response within ${seconds(ANSWERED_WITHIN_MS[scale])}`
    }
    await sleep(LOOK_MS)
  }
  if (saidSo === undefined) return 'never 503'
  return saidSo < TOLD_WITHIN_MS || !areLatenciesReliable(scale) ? undefined : `503 after ${seconds(saidSo)}`
}

/** F12 on one process: it answers all accepted requests; between processes no request is accepted. */
export const endOne: Row = {
  id: 'F12',
  title: 'SIGTERM under load, one process',
  async run(context) {
    const { scale } = context
    const ends = context.times(2, 10, 50)
    const wrong = createFindings()
    const site = await openEmbeddedSite(context, { CAIRN_DRAIN_SECONDS: String(DRAIN_SECONDS[scale]) })
    const game = await openGame(site.client, await site.token())
    const recorder = createWriteRecorder()
    const took: number[] = []
    let [requests, atTheDoor] = [0, 0]
    for (let end = 1; end <= ends; end++) {
      // New connections for each round: the next process has another port.
      const { url } = site.service()
      const client = createClient(() => url)
      const load = startWriters({ client, game, recorder, repeats: 0, writers: 8 })
      const traffic = startBackgroundTraffic({ client, game })
      await sleep(400 + Math.random() * 400)
      // The service accepts requests during its drain time; later ones are refused.
      const served = performance.now() + DRAIN_SECONDS[scale] * 1000 - ON_ITS_WAY_MS[scale]
      const [{ code, ms }, readiness] = await Promise.all([site.end('SIGTERM'), readinessUntilGone(url, scale)])
      if (readiness) wrong.add('/readyz during shutdown', readiness)
      took.push(ms)
      const [written, others] = [await load.stop(), await traffic.stop()]
      client.close()
      requests += written.requests + others.requests
      if (code !== 0) wrong.add('exit code other than 0', `${code}\n${site.service().output()}`)
      if (ms > LATEST_MS + graceMs(scale)) wrong.add('ended late', seconds(ms))
      const lost = [...written.lost, ...others.lost]
      const dropped = lost.filter(({ at }) => at < served)
      atTheDoor += lost.length - dropped.length
      if (dropped.length > 0) wrong.add('requests dropped', JSON.stringify(dropped))
      const strange =
        unexpectedStatuses(written.statuses, 0, 200, 201) ?? unexpectedStatuses(others.statuses, 0, 200, NO_RANK_YET)
      if (strange) wrong.add('unexpected responses', strange)
      await site.start()
      context.say(
        `${end} ends, ${recorder.count} acknowledged, the last in ${seconds(ms)}, ${wrong.text() || 'none dropped'}`,
      )
    }
    await recorder.check(site.sql, game.appId, wrong)
    await checkRanks([site.client], site.sql, game, wrong)
    return {
      what: 'SIGTERM under writers, readers and uploads that trickle in; then started again',
      count: `${ends} ends, ${requests} requests, ${recorder.count} writes acknowledged`,
      criterion: `every request sent before the end of the drain time gets a correct response; /readyz returns 503 within a second; exit code 0 within ${seconds(LATEST_MS + graceMs(scale))}`,
      seen: `${wrong.any ? wrong.text() : '0 dropped'}; ${atTheDoor} came later and were refused a connection; ended after ${formatTimes(took)}`,
      passed: !wrong.any && recorder.count > ends * 10,
    }
  },
}

/** F12 behind a load balancer: clients notice nothing. */
export const endOneOfThree: Row = {
  id: 'F12',
  title: 'SIGTERM under load, each of three processes behind HAProxy in turn',
  isLong: true,
  async run(context) {
    const ends = context.times(2, 9, 50)
    const wrong = createFindings()
    const site = await openTopologySite(context, {
      apis: 3,
      redis: true,
      balancer: true,
      settings: { CAIRN_DRAIN_SECONDS: '3' },
    })
    const game = await openGame(site.client, await site.token())
    const recorder = createWriteRecorder()
    const took: number[] = []
    const load = startWriters({ client: site.client, game, recorder, repeats: 0, writers: 8, pauseMs: 5 })
    const traffic = startBackgroundTraffic({ client: site.client, game })
    for (let end = 0; end < ends; end++) {
      const one = site.apis[end % site.apis.length]!
      const start = performance.now()
      const ending = one.term().finally(() => took.push(performance.now() - start))
      const [code, readiness] = await Promise.all([ending, readinessUntilGone(one.url, context.scale)])
      if (readiness) wrong.add('/readyz during shutdown', readiness)
      if (code !== 0) wrong.add('exit code other than 0', `${code}\n${one.output()}`)
      await one.start()
      await one.untilReady()
      // Until HAProxy has detected it twice.
      await sleep(2500)
      context.say(`${end + 1} ends, ${recorder.count} acknowledged, ${JSON.stringify(load.figures.statuses)}`)
    }
    const [written, others] = [await load.stop(), await traffic.stop()]
    if (unexpectedStatuses(written.statuses, 200, 201) || unexpectedStatuses(others.statuses, 200, NO_RANK_YET))
      wrong.add(
        'failed requests',
        JSON.stringify([written.statuses, others.statuses, written.lost.slice(0, 3), others.lost.slice(0, 3)]),
      )
    if (Math.max(...took) > LATEST_MS + graceMs(context.scale)) wrong.add('ended late', formatTimes(took))
    await recorder.check(site.sql, game.appId, wrong)
    await checkRanks(site.processes, site.sql, game, wrong)
    return {
      what: 'SIGTERM to one of three processes in turn behind HAProxy, under writers, readers and uploads that trickle in; then started again',
      count: `${ends} ends, ${written.requests + others.requests} requests, ${recorder.count} writes acknowledged`,
      criterion: `no request fails: each gets a correct response; /readyz returns 503 within a second; exit code 0 within ${seconds(LATEST_MS + graceMs(context.scale))}; ranks of all processes match the scores`,
      seen: `${wrong.any ? wrong.text() : '0 failed'}; ended after ${formatTimes(took)}`,
      passed: !wrong.any && recorder.count > ends * 10,
    }
  },
}
