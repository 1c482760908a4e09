import { setTimeout as sleep } from 'node:timers/promises'
import { soupGlb } from '../../../server/test/content/glb.ts'
import { wholeFiles } from '../../checks/file-integrity.ts'
import type { Answer } from '../../load/client.ts'
import { form } from '../../load/upload-kinds.ts'
import { sha256Of } from '../../load/upload-protocols.ts'
import { createFindings, type Row } from '../../row.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

/** F4. */
export const conversionKills: Row = {
  id: 'F4',
  title: 'SIGKILL during GLB to USDZ',
  isLong: true,
  async run(context) {
    const kills = context.times(2, 10, 30)
    const jobs = context.times(4, 12, 20)
    const wrong = createFindings()
    const site = await openTopologySite(context, { settings: { CAIRN_ROLE: 'all' } })
    const [service] = site.apis
    const files = wholeFiles(site, wrong)
    const acknowledged = new Map<number, string>()
    const statuses = (): Promise<{ status: string; many: number }[]> =>
      site.sql('select status, count(*) as many from conversions group by status')
    const has = async (status: string) => (await statuses()).some((row) => row.status === status)

    const send = async (at: number) => {
      const model = Buffer.from(soupGlb(60_000 + 10_000 * (at % 15)))
      const file = form({ fileName: `${at}.glb`, bytes: model })
      const answer = await site.client.send({ method: 'POST', path: '/api/upload/convert', ...file })
      if (answer.status === 200) acknowledged.set((answer as Answer).body.originalFile.id, sha256Of(model))
      return answer.status
    }
    let [sent, inTheMiddle] = [0, 0]
    for (let kill = 1; kill <= kills; kill++) {
      // All jobs are queued by half of the kills.
      const more = Math.min(jobs - sent, Math.ceil((2 * jobs) / kills))
      const sending = Array.from({ length: more }, () => send(sent++))
      for (let i = 0; i < 500 && !(await has('PROCESSING')); i++) await sleep(10)
      await sleep(Math.random() * 700)
      if (await has('PROCESSING')) inTheMiddle++
      await service!.kill()
      await Promise.all(sending)
      await service!.start()
      // An interrupted upload is repeated, as a user would.
      sent -= (await Promise.all(sending)).filter((status) => status !== 200).length
      await files.check(acknowledged)
      context.say(
        `${kill} kills, ${acknowledged.size} models accepted, ${JSON.stringify(await statuses())}, ${wrong.text() || 'all whole'}`,
      )
    }
    while (sent < jobs) if ((await send(sent++)) !== 200) throw new Error('a model was refused')
    const left = async () => (await statuses()).filter(({ status }) => !['COMPLETED', 'FAILED'].includes(status))
    for (let i = 0; i < 1200 && (await left()).length > 0; i++) await sleep(100)
    for (const { status, many } of await left()) wrong.add('a conversion that did not end', `${many} ${status}`)
    await files.check(acknowledged)

    const failed = await site.sql<{ error_code: string; error: string }>(
      `select error_code, error from conversions where status = 'FAILED'`,
    )
    for (const { error_code, error } of failed)
      if (error_code !== 'given_up') wrong.add('a valid model was refused', `${error_code}: ${error}`)
    const [ends] = await site.sql<{ results: number; completed: number; named: number; all: number }>(
      `select (select count(*) from files where mime_type = 'model/vnd.usdz+zip') as results, count(*) as all,
              count(*) filter (where status = 'COMPLETED') as completed, count(distinct result_id) as named from conversions`,
    )
    if (ends!.results !== ends!.completed || ends!.named !== ends!.completed)
      wrong.add('number of results differs from conversions', JSON.stringify(ends))
    const orphans = await files.sweep()
    return {
      what: `SIGKILL while models of 60,000 to 200,000 triangles are converted, ${jobs} jobs`,
      count: `${kills} kills, ${inTheMiddle} of them in the middle of a conversion, ${acknowledged.size} models accepted`,
      criterion: 'every job ends COMPLETED or FAILED, once; one complete USDZ for each conversion',
      seen: `${wrong.any ? wrong.text() : `${ends!.completed} completed`}, ${failed.length} failed after repeated kills, ${orphans} orphans removed`,
      passed: !wrong.any && inTheMiddle > 0 && ends!.completed > 0,
    }
  },
}
