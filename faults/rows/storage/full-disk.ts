import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkRanks } from '../../checks/rank-checks.ts'
import { createWriteRecorder } from '../../checks/write-recorder.ts'
import { seconds, formatTimes as slowestOf } from '../../figures.ts'
import { type SmallDisk, smallDisk } from '../../injection/disk.ts'
import { type Client, describeOutcome } from '../../load/client.ts'
import { openGame } from '../../load/game.ts'
import { everyUpload, form, type Upload } from '../../load/upload-kinds.ts'
import { startWriters } from '../../load/writers.ts'
import { untilReady } from '../../machines/service.ts'
import { createFindings, type Findings, type Row } from '../../row.ts'
import { openEmbeddedSite } from '../../sites/embedded-site.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

const MB = 2 ** 20
/** The folders of incomplete files. Resumable uploads may remain. */
const UNFINISHED = ['objects/partial', 'incoming-objects', 'incoming-images']

/** F6: the disk of the files is full; the database is elsewhere. */
export const fullStorage: Row = {
  id: 'F6',
  title: 'Full disk of the files',
  isLong: true,
  async run(context) {
    const { times, after, say } = context
    const wrong = createFindings()
    const disk = await smallDisk(64 * MB)
    after(disk.remove)
    const site = await openTopologySite(context, { settings: { CAIRN_DATA_DIR: disk.folder } })
    const { client } = site
    const game = await openGame(client, await site.token())
    const uploads = await everyUpload(client, game)
    const recorder = createWriteRecorder()
    const rounds = times(1, 3, 20)
    let refused = 0

    await allTaken(uploads, wrong)
    for (let round = 1; round <= rounds; round++) {
      const load = startWriters({ client, game, recorder, writers: 4, pauseMs: 5 })
      // Larger than the disk: with a length, which is rejected up front, and without one.
      const large = form({ name: 'files', fileName: 'large.bin', bytes: Buffer.alloc(80 * MB) })
      const known = await client.send({ method: 'POST', path: '/api/upload', ...large })
      if (known.status !== 507) wrong.add('a file larger than the disk was not 507', describeOutcome(known))
      const unknown = await sendWithoutLength(client.url(), large)
      if (unknown !== 507) wrong.add('a file larger than the disk, of unknown length, was not 507', String(unknown))
      await mustBeClean(disk, wrong)

      await disk.fill()
      for (const { name, send } of uploads) {
        const answer = await send()
        refused++
        if (answer.status !== 507 || typeof answer.body?.error !== 'string')
          wrong.add(`${name} was not 507 on a full disk`, describeOutcome(answer))
      }
      await mustBeClean(disk, wrong)
      await disk.relieve()
      // The free space is refreshed every second.
      await sleep(1100)
      await allTaken(uploads, wrong)
      const figures = await load.stop()
      const others = Object.keys(figures.statuses).filter((status) => !/^2/.test(status))
      if (others.length > 0) wrong.add('requests without files were refused', JSON.stringify(figures.statuses))
      say(`${round} of ${rounds}: ${wrong.any ? wrong.text() : 'no fault so far'}`)
    }
    await recorder.check(site.sql, game.appId, wrong)
    return {
      what: 'a disk of 64 MB that is too small for a file and then has no byte left, with every way to upload, under four writers of scores, players and points',
      count: `${rounds} times full, ${refused} uploads on a full disk, ${recorder.count} writes acknowledged in that time`,
      criterion:
        'uploads 507 with {error}, no partial file remains, all other requests succeed, uploads are accepted again once there is room',
      seen: wrong.any ? wrong.text() : 'all 507; no partial file; all other requests 2xx; accepted again at once',
      passed: !wrong.any && recorder.count > 0,
    }
  },
}

async function allTaken(uploads: Upload[], wrong: Findings): Promise<void> {
  for (const { name, send } of uploads) {
    const answer = await send()
    if (answer.status < 200 || answer.status >= 300)
      wrong.add(`${name} was refused with free space`, describeOutcome(answer))
  }
}

async function mustBeClean(disk: SmallDisk, wrong: Findings): Promise<void> {
  for (const folder of UNFINISHED) {
    const left = await disk.filesIn(folder)
    if (left.length > 0) wrong.add('incomplete files remained', left.join(', '))
  }
}

/** @returns the status, or 0 if the connection was closed without one */
async function sendWithoutLength(url: string, { headers, body }: ReturnType<typeof form>): Promise<number> {
  const pieces = (function* () {
    for (let at = 0; at < body.length; at += MB) yield body.subarray(at, at + MB)
  })()
  const stream = Readable.toWeb(Readable.from(pieces)) as ReadableStream
  return fetch(`${url}/api/upload`, { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit).then(
    ({ status }) => status,
    () => 0,
  )
}

/** F6: the disk of the embedded PostgreSQL is full. */
export const fullDatabase: Row = {
  id: 'F6',
  title: 'Full disk of the bundled PostgreSQL',
  isLong: true,
  async run(context) {
    const { times, after, say } = context
    const wrong = createFindings()
    const disk = await smallDisk(200 * MB)
    after(disk.remove)
    const site = await openEmbeddedSite(context, {}, { folder: await disk.newFolder() })
    const game = await openGame(site.client, await site.token())
    const recorder = createWriteRecorder()
    const rounds = times(1, 2, 10)
    const recoveries: number[] = []
    const statuses: Record<number, number> = {}
    let [slowest, refusals] = [0, 0]

    for (let round = 1; round <= rounds; round++) {
      const load = startWriters({ client: site.client, game, recorder, repeats: 0 })
      await disk.fill()
      // Until the WAL has no space either; recycled segments last a while.
      await Promise.race([untilRefused(site.client), sleep(60_000)])
      await sleep(times(2000, 5000, 10_000))
      await disk.relieve()
      const startedAt = performance.now()
      await untilReady(site.service().url)
      recoveries.push(performance.now() - startedAt)
      const figures = await load.stop()
      for (const [status, count] of Object.entries(figures.statuses))
        statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count
      refusals += (figures.statuses[503] ?? 0) + (figures.statuses[507] ?? 0)
      slowest = Math.max(slowest, figures.slowestFailureMs)
      if (figures.malformed > 0) wrong.add('5xx without {error}', String(figures.malformed))
      await recorder.check(site.sql, game.appId, wrong)
      say(`${round} of ${rounds}: ${JSON.stringify(statuses)}, ${wrong.any ? wrong.text() : 'no fault so far'}`)
    }
    await checkRanks([site.client], site.sql, game, wrong)
    for (const status of Object.keys(statuses))
      if (!/^(2..|503|507)$/.test(status)) wrong.add(`answered ${status}`, String(statuses[Number(status)]))
    if (refusals === 0) wrong.add('the full disk had no effect')
    return {
      what: 'the data folder on a disk of 200 MB, its database included, that is filled to the last byte under 16 writers and has room again some seconds later',
      count: `${rounds} times full, ${recorder.count} acknowledged, statuses ${JSON.stringify(statuses)}`,
      criterion:
        '503 or 507 with {error}, 0 acknowledged writes lost, ranks correct, ready again without intervention within a minute',
      seen: `${wrong.any ? wrong.text() : '0 lost, ranks correct'}; longest wait for a refusal ${seconds(slowest)}; ready after ${slowestOf(recoveries)}`,
      passed: !wrong.any,
    }
  },
}

/** Waits until a write is rejected. */
async function untilRefused(client: Client): Promise<void> {
  const body = { fileName: 'a.bin', contentType: 'text/plain' }
  for (;;) {
    const { status } = await client.send({ method: 'POST', path: '/api/upload/presigned', body })
    if (status === 503 || status === 507) return
    await sleep(50)
  }
}
