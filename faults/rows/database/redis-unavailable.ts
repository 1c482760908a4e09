import { setTimeout as sleep } from 'node:timers/promises'
import { checkAccess, checkSharedLimit, countAccepted } from '../../checks/access-revocation.ts'
import { checkRanks, loadRanks, ranksFoundInRedis } from '../../checks/rank-checks.ts'
import { createWriteRecorder } from '../../checks/write-recorder.ts'
import { seconds } from '../../figures.ts'
import { type FaultProxy, startProxy } from '../../injection/proxy.ts'
import { createClient } from '../../load/client.ts'
import { openGame } from '../../load/game.ts'
import { startWriters } from '../../load/writers.ts'
import { createFindings, type Row } from '../../row.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

/** Requests per minute of an address without a credential. */
const QUOTA = 40

/** F8: Redis fails in several ways while two processes serve. */
export const redisUnavailable: Row = {
  id: 'F8',
  title: 'Redis stopped, emptied, frozen and slow, two processes',
  async run(context) {
    const { times, after, say } = context
    const wrong = createFindings()
    let proxy: FaultProxy | undefined
    const site = await openTopologySite(context, {
      apis: 2,
      redis: true,
      settings: { CAIRN_TRUSTED_PROXIES: 'loopback', CAIRN_LIMIT_ADDRESS_PER_MINUTE: String(QUOTA) },
      through: async (part, url) => {
        if (part !== 'redis') return url
        proxy ??= await startProxy({ host: '127.0.0.1', port: Number(new URL(url).port) })
        return `redis://127.0.0.1:${proxy.port}`
      },
    })
    after(() => proxy?.stop())
    const { processes, sql } = site
    const redis = site.redis!
    const token = await site.token()
    const game = await openGame(processes[0]!, token, { players: times(8, 16, 32) })
    let turn = 0
    const both = createClient(() => processes[++turn % processes.length]!.url())
    after(both.close)
    const recorder = createWriteRecorder()
    let slowestMs = 0
    let requests = 0

    /** Runs writers with a Redis fault in the middle, then checks everything, and again after recovery. */
    const during = async (what: string, fault: () => unknown, end: () => unknown) => {
      const write = async (middle: () => unknown) => {
        const load = startWriters({ client: both, game, recorder, writers: 4 })
        await sleep(times(200, 1500, 5000))
        await middle()
        await sleep(times(300, 2500, 10_000))
        const figures = await load.stop()
        slowestMs = Math.max(slowestMs, figures.slowestMs)
        requests += figures.requests
        const others = Object.keys(figures.statuses).filter((status) => !/^2/.test(status))
        if (others.length > 0) wrong.add(`${what}: requests failed`, JSON.stringify(figures.statuses))
      }
      await write(fault)
      await checkRanks(processes, sql, game, wrong)
      const passed = await countAccepted(processes, 3 * QUOTA)
      if (passed > QUOTA || passed < 1) wrong.add(`${what}: limits`, `${passed} of ${QUOTA} let through`)
      await checkAccess(processes, { token, key: game.key, scale: context.scale }, wrong)
      await write(end)
      const before = await ranksFoundInRedis(processes)
      await checkRanks(processes, sql, game, wrong)
      // After recovery Redis is tried at most once a second, then loaded.
      for (let i = 0; i < 60 && (await ranksFoundInRedis(processes)) === before; i++) {
        await loadRanks(processes, game)
        await sleep(500)
      }
      await checkRanks(processes, sql, game, wrong)
      if ((await ranksFoundInRedis(processes)) === before)
        wrong.add(`${what}: ranks did not come from Redis afterwards`)
      say(`${what}: ${wrong.any ? wrong.text() : 'right'}`)
    }
    let thaw = () => {}
    const freeze = () => {
      thaw = redis.pause()
    }
    const faults: [string, () => unknown, () => unknown][] = [
      ['stopped', () => redis.kill(), () => redis.start()],
      ['frozen', freeze, () => thaw()],
      ['emptied', () => redis.flush(), () => {}],
    ]
    // Slower than the command timeout, and just within it.
    for (const delayMs of [1500, 300])
      faults.push([`${delayMs} ms slow each way`, () => proxy!.set({ delayMs }), () => proxy!.set()])
    const rounds = times(1, 2, 20)
    const chosen = times(2, faults.length, faults.length)
    for (let round = 0; round < rounds; round++)
      for (const [what, fault, end] of faults.slice(0, chosen)) await during(what, fault, end)
    await recorder.check(sql, game.appId, wrong)

    await checkSharedLimit(processes, QUOTA, wrong)
    return {
      what: `Redis ${faults
        .slice(0, chosen)
        .map(([what]) => what)
        .join(', ')} under writers at two processes, then without faults`,
      count: `${rounds * chosen} faults, ${requests} requests, ${recorder.count} acknowledged`,
      criterion:
        'every request 2xx, 0 acknowledged writes lost, ranks and boards of both processes correct during and after the fault, no quota exceeded, no invalid credential accepted',
      seen: `${wrong.any ? wrong.text() : 'all correct'}; longest wait for a response ${seconds(slowestMs)}`,
      passed: !wrong.any && recorder.count > 0,
    }
  },
}
