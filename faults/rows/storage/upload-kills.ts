import { wholeFiles } from '../../checks/file-integrity.ts'
import { formatTimes } from '../../figures.ts'
import { type Sent, sha256Of, uploadBytes, uploadWays } from '../../load/upload-protocols.ts'
import { createFindings, type Row } from '../../row.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

/** F3. */
export const uploadKills: Row = {
  id: 'F3',
  title: 'SIGKILL during uploads',
  isLong: true,
  async run(context) {
    const kills = context.times(2, 12, 50)
    const largest = context.times(10, 100, 100)
    const wrong = createFindings()
    const site = await openTopologySite(context)
    const [service] = site.apis
    const files = wholeFiles(site, wrong)
    const ways = uploadWays(site.client, wrong)
    const newBytes = uploadBytes(largest)
    const acknowledged = new Map<number, string>()
    const restarts: number[] = []
    let [resumed, unanswered, bytesSent] = [0, 0, 0]
    const keep = ({ id }: Sent, bytes: Buffer) => {
      if (id === undefined) unanswered++
      else acknowledged.set(id, sha256Of(bytes))
    }

    for (let kill = 1; kill <= kills; kill++) {
      const [one, other, third, fourth] = [newBytes(), newBytes(), newBytes(), newBytes()]
      bytesSent += one.length + other.length + third.length + fourth.length
      const forms = [one, other].map(async (bytes) => keep(await ways.form(bytes), bytes))
      const [resumable, presigned] = await Promise.all([ways.resumable(third), ways.presigned(fourth)])
      const sent = Promise.all([...forms, resumable.sent, presigned.sent])
      // From the first bytes to after the last: a complete file is no longer incomplete, so the sum may never be reached.
      await Promise.race([sent, files.underWay(0.8 * Math.random() * (one.length + other.length + third.length))])
      await service!.kill()
      await sent
      const start = performance.now()
      await service!.start()
      await service!.untilReady()
      restarts.push(performance.now() - start)
      const left = await files.partials()
      if (left > 0) wrong.add('incomplete objects remained', String(left))
      const end = await resumable.finish()
      if (end.resumed) resumed++
      keep(end, third)
      keep(await presigned.finish(), fourth)
      await files.check(acknowledged)
      context.say(
        `${kill} kills, ${acknowledged.size} files acknowledged, ${resumed} resumed, ${wrong.text() || 'all whole'}`,
      )
    }
    const orphans = await files.sweep()
    return {
      what: `SIGKILL at any moment of four uploads of 1 to ${largest} MB: two forms, one resumable (tus), one to a signed URL; the last two completed by the next process`,
      count: `${kills} kills, ${kills * 4} uploads, ${Math.round(bytesSent / 1e6)} MB, ${acknowledged.size} acknowledged, ${unanswered} without an answer`,
      criterion:
        'no record without its object of equal size and SHA-256; acknowledged files are there; tus resumes at its offset; orphans are deleted within an hour',
      seen: `${wrong.any ? wrong.text() : 'all whole'}; ${resumed} resumed in the middle, ${orphans} orphans removed; ready after ${formatTimes(restarts)}`,
      passed: !wrong.any && acknowledged.size >= kills * 2 && unanswered > 0 && (resumed > 0 || kills < 10),
    }
  },
}
