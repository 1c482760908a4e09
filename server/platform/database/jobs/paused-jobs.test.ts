// @module-tag long
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { boxGlb } from '../../../test/content/glb.ts'
import { jpeg } from '../../../test/content/pictures.ts'
import { sendScan, settledScan, uploadOf } from '../../../test/content/scans.ts'
import { createTestDatabase } from '../../../test/database.ts'
import { formOf } from '../../../test/multipart.ts'
import { appUrl } from '../../../test/scoring/scoring-steps.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'
import { importsOn, surveyRows } from '../../../test/surveying/imports.ts'
import { WAITS_FOR_DISK } from '../../job-disk-check.ts'
import { openDatabase } from '../database.ts'
import { createJobs } from './jobs.ts'

/** More than any disk has. */
const FULL = String(2 ** 50)
/** Serves requests, and runs no jobs. */
const API = { CAIRN_ROLE: 'api' }

/** The lines of a log. */
function keptLog() {
  const lines: { msg: string; queues?: string[] }[] = []
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)))
      done()
    },
  })
  return { lines, log: pino({ level: 'info' }, stream) }
}

/** Polls until the condition is true. */
async function until(isSo: () => Promise<boolean>) {
  while (!(await isSo())) await sleep(50)
}

describe.each([
  ['the database', (folder: string) => ({ CAIRN_DATABASE_RESERVE_BYTES: FULL, CAIRN_DATABASE_FOLDER: folder })],
  ['the data folder', () => ({ CAIRN_DISK_RESERVE_BYTES: FULL })],
])('while the disk of %s is nearly full', (disk, settings) => {
  const isDatabase = disk === 'the database'
  const { lines, log } = keptLog()
  let first: Service
  let full: Service
  let user: Caller & { id: string }
  let owner: Caller
  let converting: Promise<unknown>
  let asked: { scan: string; import: string; fileId: number; app: string; unused: string }
  beforeAll(async () => {
    first = await startService(API)
    const given = buildersOn(first)
    user = await given.user()
    const imports = importsOn(first, user)
    const zoneId = await imports.zone()
    const key = await imports.stored(surveyRows(3))
    const model = { name: 'box.glb', bytes: boxGlb() }
    const { fileId } = await uploadOf(user, model)
    // The sender waits a while for the result.
    converting = user.post('/api/upload/convert', formOf(model))
    const scan = await sendScan(user, { name: 'a.jpg', type: 'image/jpeg', bytes: await jpeg(80, 60) })
    const { body: imported } = await imports.send(zoneId, key)
    const app = await given.app({ owner: user })
    await given.player(app)
    const unused = await uploadOf(user, { name: 'a.txt', bytes: 'to be deleted' })
    asked = {
      scan: scan.body.id,
      import: imported.id,
      fileId,
      app: app.id,
      unused: String(unused.fileId),
    }
    full = await startService(
      { ...first.storage, CAIRN_DATA_DIR: first.folder, ...settings(first.folder) },
      undefined,
      log as never,
      { url: first.databaseUrl, drop: async () => {} },
    )
    owner = full.as(user.headers)
  }, 120_000)
  afterAll(async () => {
    await converting
    await full.stop()
    await first.stop()
  })

  const queues = () =>
    sqlOn(first)<{ name: string; state: string; retries: number }>(
      `select name, state::text, retry_count::int as retries from pgboss.job
        where name in ('scan', 'convert', 'gcp-csv-import') order by name`,
    )

  test('jobs that create files wait without an attempt, while deletions and cleanup continue', async () => {
    expect((await owner.delete(appUrl(`${asked.app}?name=Trail`))).status).toBe(204)
    expect((await owner.delete(`/api/v1/user/files/${asked.unused}`)).status).toBe(204)
    await until(async () => (await queues()).some(({ name }) => name === 'convert'))
    const left = async () => (await sqlOn(first)('select from apps where id = $1', [asked.app])).length
    await until(async () => (await left()) === 0)
    const held = [{ name: 'convert' }, { name: 'gcp-csv-import' }, { name: 'scan' }]
      .filter(({ name }) => isDatabase || name !== 'gcp-csv-import')
      .map((queue) => ({ ...queue, state: 'created', retries: 0 }))
    expect(await queues()).toEqual(isDatabase ? held : expect.arrayContaining(held))
  })

  test('records, metrics and one log line report it', async () => {
    expect((await owner.get(`/api/v1/user/scans/${asked.scan}`)).body).toMatchObject({
      status: 'PENDING',
      notes: [WAITS_FOR_DISK],
    })
    expect((await owner.get(`/api/upload/convert?fileId=${asked.fileId}`)).body).toMatchObject({
      status: 'PENDING',
      message: WAITS_FOR_DISK,
    })
    if (isDatabase)
      expect((await owner.get(`/api/gcp/upload/${asked.import}`)).body).toMatchObject({
        status: 'PENDING',
        errorMessage: WAITS_FOR_DISK,
      })
    expect((await full.anonymous.get('/metrics')).body).toMatch(/^cairn_job_queues_held [1-9]/m)
    const told = lines.filter(({ msg }) => msg === 'paused jobs because a disk is nearly full')
    expect(told).toHaveLength(1)
    expect(told[0]!.queues).toEqual(expect.arrayContaining(['scan', 'convert']))
  })

  test('the jobs run once there is space', async () => {
    const worker = await startService(
      { ...first.storage, CAIRN_DATA_DIR: first.folder, CAIRN_ROLE: 'worker' },
      undefined,
      undefined,
      { url: first.databaseUrl, drop: async () => {} },
    )
    try {
      const caller = first.as(user.headers)
      expect(await settledScan(caller, asked.scan)).toMatchObject({ status: 'COMPLETED', notes: [] })
      expect(await importsOn(first, user).ended(asked.import)).toMatchObject({
        status: 'COMPLETED',
        errorMessage: null,
      })
      await until(async () => {
        const { body } = await caller.get(`/api/upload/convert?fileId=${asked.fileId}`)
        return body.convertedFile !== undefined
      })
    } finally {
      await worker.stop()
    }
  })
})

test('a queue is paused and resumed in a running process; running jobs complete', async () => {
  const { url, drop } = await createTestDatabase()
  const database = openDatabase({ url, applicationName: 'test', max: 2 })
  const { lines, log } = keptLog()
  const jobs = createJobs({ url, log: log as never })
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done: number[] = []
  let isFull = false
  jobs.define<{ n: number }>({
    name: 'test-held',
    expireInSeconds: 60,
    concurrency: 1,
    waits: async () => isFull,
    async run({ n }) {
      begun.resolve()
      if (n === 1) await mayEnd.promise
      done.push(n)
    },
  })
  const enqueue = (n: number) =>
    database.kysely.transaction().execute((trx) => jobs.enqueue(trx as never, 'test-held', { n }))
  try {
    await jobs.start({ work: true })
    await enqueue(1)
    await begun.promise
    isFull = true
    await until(async () => jobs.isHeld('test-held'))
    await enqueue(2)
    jobs.wake('test-held')
    mayEnd.resolve()
    await until(async () => done.length > 0)
    expect([done, jobs.held()]).toEqual([[1], ['test-held']])
    isFull = false
    await until(async () => done.length > 1)
    expect([done, jobs.held()]).toEqual([[1, 2], []])
    expect(lines.map(({ msg }) => msg)).toEqual([
      'paused jobs because a disk is nearly full',
      'resumed jobs that waited for disk space',
    ])
  } finally {
    await jobs.stop()
    await database.close()
    await drop()
  }
})
