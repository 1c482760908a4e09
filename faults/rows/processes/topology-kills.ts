import { setTimeout as sleep } from 'node:timers/promises'
import { soupGlb } from '../../../server/test/content/glb.ts'
import { checkAccess, checkSharedLimit, fresh } from '../../checks/access-revocation.ts'
import { checkRanks, loadRanks, ranksFoundInRedis, waitUntilQuiet } from '../../checks/rank-checks.ts'
import { createWriteRecorder } from '../../checks/write-recorder.ts'
import { formatTimes } from '../../figures.ts'
import type { Answer } from '../../load/client.ts'
import { type Game, openGame } from '../../load/game.ts'
import { form } from '../../load/upload-kinds.ts'
import { sha256Of } from '../../load/upload-protocols.ts'
import { startWriters, unexpectedStatuses } from '../../load/writers.ts'
import { pause } from '../../machines/pause.ts'
import { createFindings, type Findings, type Row } from '../../row.ts'
import { openTopologySite, type TopologySite } from '../../sites/topology-site.ts'

/** Requests per minute of an address without a credential. */
const QUOTA = 40
/** Longer than a node of the Cluster may be silent (5 s): then the others report the cluster as failed. */
const FROZEN_MS = 7000

/** F1 on a whole deployment, with ranks and limits in a Redis Cluster. */
export const topologyKills: Row = {
  id: 'F1',
  title:
    'SIGKILL in turn of three processes and two workers, and a node of Redis frozen: HAProxy, replica, Cluster, S3',
  isLong: true,
  async run(context) {
    const faults = context.times(6, 18, 60)
    const wrong = createFindings()
    const site = await openTopologySite(context, {
      apis: 3,
      workers: 2,
      replica: true,
      cluster: true,
      s3: true,
      balancer: true,
      settings: { CAIRN_LIMIT_ADDRESS_PER_MINUTE: String(QUOTA) },
    })
    const game = await openGame(site.client, await site.token())
    const recorder = createWriteRecorder()
    const models = sendModels(site, game)
    const killed = [...site.apis, ...site.workers]
    const restarts: number[] = []
    const statuses: Record<string, number> = {}
    let [requests, unanswered, frozen] = [0, 0, 0]

    for (let fault = 1; fault <= faults; fault++) {
      const load = startWriters({ client: site.client, game, recorder, pauseMs: 5 })
      await loadRanks([site.client], game)
      const one = killed[fault % (killed.length + 1)]
      const isWorker = one !== undefined && site.workers.includes(one)
      // Enough to keep both workers busy.
      const sent = Promise.all(Array.from({ length: isWorker ? 4 : 1 }, models.send))
      if (isWorker) await models.underWay()
      await sleep(200 + Math.random() * 600)
      if (one) {
        await one.kill()
        await sleep(500)
        const start = performance.now()
        await one.start()
        await one.untilReady()
        restarts.push(performance.now() - start)
      } else {
        const goOn = pause(site.cluster!.nodes[frozen++ % 3]!.child)
        await sleep(FROZEN_MS)
        goOn()
      }
      await sleep(200)
      const figures = await load.stop()
      await sent
      requests += figures.requests
      for (const [status, many] of Object.entries(figures.statuses)) statuses[status] = (statuses[status] ?? 0) + many
      // No request needs Redis, also without one of its nodes; HAProxy returns 502 to 504 for a dead process.
      const strange = unexpectedStatuses(figures.statuses, ...(one ? [0, 200, 201, 409, 502, 503, 504] : [200, 201]))
      if (strange) wrong.add(`answers ${one ? 'neither good nor to come again' : 'without a node of Redis'}`, strange)
      if (figures.malformed > 0) wrong.add('5xx without {error}', JSON.stringify(figures.statuses))
      if (fault % (killed.length + 1) === 0 || fault === faults) {
        await waitUntilQuiet(site.sql, game)
        unanswered = await recorder.check(site.sql, game.appId, wrong)
        const before = await ranksFoundInRedis(site.processes)
        await checkRanks(site.processes, site.sql, game, wrong)
        if ((await ranksFoundInRedis(site.processes)) === before) wrong.add('no rank came from Redis')
      }
      context.say(
        `${fault} faults, ${recorder.count} acknowledged, ${JSON.stringify(statuses)}, ${wrong.text() || 'right'}`,
      )
    }
    const converted = await models.check(wrong)
    await checkSharedLimit(site.processes, QUOTA, wrong)
    await checkAccess(site.processes, { token: game.token, key: game.key, scale: context.scale }, wrong)
    return {
      what: `SIGKILL at any moment of three processes and two workers in turn, then started again, and a node of Redis frozen for ${FROZEN_MS / 1000} s, under 16 writers and conversions; HAProxy, PostgreSQL with a streaming replica, a Redis Cluster of three nodes, S3`,
      count: `${faults} faults, ${frozen} of them a frozen node, ${requests} requests, ${recorder.count} acknowledged, ${converted} models converted`,
      criterion:
        '0 acknowledged writes lost, none doubled, ranks and boards of all three processes match the scores and come from Redis; every model converted once, all files complete; the limit of an address is one for all three together',
      seen: `${wrong.any ? wrong.text() : '0 lost, 0 doubled, 0 wrong ranks'}; ${unanswered} without a response were present; statuses ${JSON.stringify(statuses)}; ready after ${formatTimes(restarts)}`,
      passed: !wrong.any && recorder.count > faults * 20 && converted > 0,
    }
  },
}

/** Models for the workers. */
function sendModels({ client, processes, sql }: TopologySite, { key }: Game) {
  const headers = { 'x-app-api-key': key }
  const acknowledged = new Map<number, string>()
  const states = () => sql<{ status: string }>('select status from conversions')
  return {
    /** Sends one more; without a response its outcome is unknown. */
    async send(): Promise<void> {
      const bytes = Buffer.from(soupGlb(60_000))
      const sent = form({ fileName: 'a.glb', bytes }, headers)
      const answer = await client.send({ method: 'POST', path: '/api/upload/convert', ...sent })
      const id = (answer as Answer).body?.originalFile?.id
      if (answer.status === 200 && id !== undefined) acknowledged.set(id, sha256Of(bytes))
    },

    /** Waits up to ten seconds until one is being converted. */
    async underWay(): Promise<void> {
      for (let i = 0; i < 500 && !(await states()).some(({ status }) => status === 'PROCESSING'); i++) await sleep(20)
    },

    /** Waits up to two minutes until all are converted, and reads each file. @returns the number converted */
    async check(wrong: Findings): Promise<number> {
      let left = await states()
      for (let i = 0; i < 240 && left.some(({ status }) => /^P/.test(status)); i++) {
        await sleep(500)
        left = await states()
      }
      for (const { status } of left) if (status !== 'COMPLETED') wrong.add('a conversion did not complete', status)
      const files = await sql<{ id: number; key: string; sha256: string; mime: string }>(
        'select id, key, sha256, mime_type as mime from files',
      )
      const results = files.filter(({ mime }) => mime === 'model/vnd.usdz+zip')
      if (results.length !== left.length) wrong.add('not one USDZ a conversion', `${results.length} of ${left.length}`)
      for (const [id, sum] of acknowledged)
        if (files.find((file) => file.id === id)?.sha256 !== sum) wrong.add('acknowledged file lost', String(id))
      for (const [at, { key: path, sha256 }] of files.entries()) {
        const { url } = processes[at % processes.length]!
        // Each from an address of its own: they are more than the quota of one.
        const answer = await fetch(`${url()}/files/${path}`, { headers: { ...headers, ...fresh() } })
        const sum = sha256Of(Buffer.from(await answer.arrayBuffer()))
        if (answer.status !== 200 || sum !== sha256) wrong.add('a file is not whole', `${path}: ${answer.status}`)
      }
      return results.length
    },
  }
}
