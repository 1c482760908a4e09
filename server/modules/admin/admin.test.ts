import { statfs } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteFinishedJobs, NOT_DONE } from '../../platform/database/jobs/job-queues.ts'
import { type Builders, buildersOn, type User } from '../../test/builders.ts'
import { boxGlb } from '../../test/content/glb.ts'
import { sendScan, settledScan, uploadOf } from '../../test/content/scans.ts'
import { type Service, startSecondService, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'
import { importsOn } from '../../test/surveying/imports.ts'

const PUBLIC = { CAIRN_PUBLIC_URL: 'https://cairn.example' }
let service: Service
let given: Builders
let sql: Sql
let ops: User
let admin: User
beforeAll(async () => {
  service = await startService({ CAIRN_LIMIT_KEY_PER_MINUTE: '77', ...PUBLIC })
  given = buildersOn(service)
  sql = sqlOn(service)
  ops = await given.user({ roles: ['ops'] })
  admin = await given.user({ roles: ['admin'] })
})
afterAll(() => service.stop())

const box = '/api/v1/box'
const unknownId = '019a0000-0000-7000-8000-000000000000'

/** A job as the queue keeps it. */
async function failedJob(name: string, data: object, output: object = { message: 'no luck' }, state = 'failed') {
  const [job] = await sql<{ id: string }>(
    `insert into pgboss.job (name, data, state, output, started_on, completed_on, retry_count, retry_limit)
     values ($1, $2, $3::pgboss.job_state, $4, now(), now(), 5, 5) returning id`,
    [name, data, state, output],
  )
  return job!.id
}
const jobs = async (query: string) => (await ops.get(`${box}/jobs?${query}`)).body.jobs
const retry = (queue: string, id: string, caller = admin) => caller.post(`${box}/jobs/${queue}/${id}/retry`)
/** Waits until the queue has no job that waits or runs. */
async function done(queue: string) {
  while ((await jobs(`queue=${queue}`)).some(({ state }: { state: string }) => state !== 'failed'))
    await new Promise((resolve) => setTimeout(resolve, 20))
}

test('/box requires the role ops or admin, a retry the role admin: 401 without a session, 403 for others', async () => {
  for (const path of ['health', 'jobs', 'limits']) {
    expect(await service.anonymous.get(`${box}/${path}`)).toMatchObject({ status: 401 })
    expect(await (await given.user()).get(`${box}/${path}`)).toMatchObject({ status: 403 })
    expect(await ops.get(`${box}/${path}`)).toMatchObject({ status: 200 })
  }
  expect(await retry('scan', unknownId, ops)).toMatchObject({ status: 403 })
})

describe('health', () => {
  test('covers parts, disk, database, processes, queues and webhooks', async () => {
    await service.app.pinIndex.caughtUp()
    const { body } = await ops.get(`${box}/health`)
    const moment = expect.stringMatching(/^\d{4}-.*Z$/)
    const asked = { state: 'ok', ms: expect.any(Number), detail: null }
    const known = { ms: null, detail: expect.any(String) }
    expect(body).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      startedAt: moment,
      role: 'all',
      publicUrl: 'https://cairn.example',
      parts: [
        { name: 'database', ...asked },
        { name: 'objects', ...asked },
        { name: 'redis', state: 'off', ...known },
        { name: 'replica', state: 'off', ...known },
        { name: 'pinIndex', state: 'ok', ...known },
        { name: 'identity', state: 'ok', ...known },
      ],
      disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number), reserveBytes: 0 },
      database: { bytes: expect.any(Number), connections: expect.any(Number), freeBytes: null, reserveBytes: 0 },
      // A socket has no address.
      processes: [{ role: 'all', address: expect.toBeOneOf([null, '127.0.0.1']), since: moment }],
      queues: expect.arrayContaining([
        { name: 'convert', waiting: 0, active: 0, failed: 0, oldestWaitingSeconds: null },
      ]),
      webhooks: { waiting: 0, failing: 0 },
      backups: {
        state: 'off',
        everySeconds: null,
        place: null,
        lastSuccess: null,
        lastFailure: null,
        runningSince: null,
        nextAt: null,
      },
    })
    const { blocks, bsize } = await statfs(service.folder)
    expect(body.disk.totalBytes).toBe(blocks * bsize)
    expect(body.database.bytes).toBeGreaterThan(5_000_000)
    expect(body.database.connections).toBeGreaterThan(1)
  })

  test('of another process shows both, each with its role, and what of it does not answer', async () => {
    const another = await startSecondService(service, {
      ...PUBLIC,
      CAIRN_ROLE: 'api',
      CAIRN_REDIS_URL: 'redis://:hidden-word@127.0.0.1:1',
      CAIRN_PIN_INDEX_BYTES: '0',
      CAIRN_OIDC: JSON.stringify([{ issuer: 'http://127.0.0.1:1', audience: 'cairn' }]),
    })
    try {
      const { body } = await another.as(ops.headers).get(`${box}/health`)
      expect(body.role).toBe('api')
      expect(body.processes.map(({ role }: { role: string }) => role)).toEqual(['all', 'api'])
      const states = Object.fromEntries(body.parts.map(({ name, state }: Record<string, string>) => [name, state]))
      expect(states).toMatchObject({ database: 'ok', redis: 'failed', pinIndex: 'off', identity: 'failed' })
      expect(JSON.stringify(body)).not.toContain('hidden-word')
    } finally {
      await another.stop()
    }
  })

  test('counts what waits, runs and failed, and how long the longest has waited', async () => {
    await sql(`insert into pgboss.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds, retention_seconds,
        deletion_seconds, partition, table_name) values ('counted', 'standard', 1, 1, false, 60, 60, 60, false, 'job_common')`)
    await failedJob('counted', {})
    await failedJob('counted', {}, {}, 'active')
    await sql(
      `insert into pgboss.job (name, start_after) values ('counted', now() - interval '100 s'), ('counted', now() + interval '1 h')`,
    )
    const { body } = await ops.get(`${box}/health`)
    const queue = body.queues.find(({ name }: { name: string }) => name === 'counted')
    expect(queue).toMatchObject({ waiting: 1, active: 1, failed: 1 })
    expect(queue.oldestWaitingSeconds).toBeGreaterThanOrEqual(100)
    await sql("delete from pgboss.job where name = 'counted'")
  })
})

describe('jobs', () => {
  test('that did not end well are found by an index of their own, however many did', async () => {
    const client = new pg.Client({ connectionString: service.databaseUrl, options: '-c enable_seqscan=off' })
    await client.connect()
    const { rows } = await client.query(
      `explain select from pgboss.job where ${NOT_DONE} order by created_on desc, id desc limit 9`,
    )
    await client.end()
    expect(JSON.stringify(rows)).toContain('job_common_not_done')
  })

  test('are deleted an hour after they completed; failed ones stay', async () => {
    const kept = [await failedJob('scan', {}), await failedJob('scan', {}, {}, 'completed')]
    const old = [await failedJob('scan', {}), await failedJob('scan', {}, {}, 'completed')]
    await sql(`update pgboss.job set completed_on = now() - interval '61 minutes' where id = any ($1)`, [old])
    const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 })
    await deleteFinishedJobs(pool)
    await pool.end()
    const all = [...kept, ...old]
    const left = await sql<{ id: string }>('select id from pgboss.job where id = any ($1)', [all])
    expect(left.map(({ id }) => id).toSorted()).toEqual([...kept, old[0]].toSorted())
    await sql('delete from pgboss.job where id = any ($1)', [all])
  })

  test('are listed newest first, exact in their members, by state and queue, without secrets', async () => {
    const message =
      'getaddrinfo postgres://cairn:open-sesame@db/x and https://bucket.example/key?X-Amz-Signature=abc failed'
    const first = await failedJob('scan-weather', { scanId: unknownId, lat: 1 }, { message, stack: 'at open-sesame' })
    const second = await failedJob('gcp-csv-import', { uploadId: unknownId }, { value: { message: 'job timed out' } })
    const third = await failedJob('gcp-csv-import', { uploadId: unknownId }, {}, 'completed')
    const failed = await jobs('state=failed')
    expect(failed).toEqual([
      expect.objectContaining({ id: second, queue: 'gcp-csv-import', errorMessage: 'job timed out' }),
      {
        id: first,
        queue: 'scan-weather',
        state: 'failed',
        createdAt: expect.any(String),
        startedAt: expect.any(String),
        endedAt: expect.any(String),
        attempts: 6,
        subject: unknownId,
        errorMessage: 'getaddrinfo postgres://db/x and https://bucket.example/key failed',
      },
    ])
    expect(await jobs('queue=scan-weather')).toHaveLength(1)
    expect(await jobs('state=active')).toEqual([])
    const page = await ops.get(`${box}/jobs?state=failed&limit=1`)
    expect(page.headers.get('x-total-count')).toBe('2')
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    expect((await ops.get(next!)).body.jobs).toMatchObject([{ id: first }])
    await sql('delete from pgboss.job where id = any ($1)', [[first, second, third]])
  })

  test('that failed can be retried: 204 and an entry in the audit log; 404 if unknown, 409 if it did not fail', async () => {
    const id = await failedJob('scan-weather', {
      scanId: unknownId,
      lat: 1,
      long: 2,
      timestamp: '2026-01-01T00:00:00Z',
    })
    expect(await retry('scan-weather', id)).toMatchObject({ status: 204 })
    await done('scan-weather')
    expect(await jobs('queue=scan-weather')).toEqual([])
    expect(await retry('scan-weather', id)).toMatchObject({ status: 409 })
    expect(await retry('scan-weather', unknownId)).toMatchObject({ status: 404 })
    expect(await retry('no-queue', id)).toMatchObject({ status: 404 })
    const { body } = await ops.get(`/api/v1/audit-log?action=job.retried&subject=${id}`)
    expect(body.entries).toMatchObject([{ actor: admin.id }])
  })

  test('of a failed conversion restart it, and name a file with that content', {
    tags: ['long'],
  }, async () => {
    const user = await given.user()
    const { fileId: id } = await uploadOf(user, { name: 'chair.glb', bytes: boxGlb() })
    await user.post(`/api/upload/${id}/converted_file`)
    const [{ sha256 }] = (await sql<{ sha256: string }>('select sha256 from files where id = $1', [id])) as [never]
    await done('convert')
    const job = await failedJob('convert', { sha256 })
    expect(await jobs('queue=convert')).toMatchObject([{ id: job, subject: String(id) }])
    expect(await retry('convert', job)).toMatchObject({ status: 409 })
    await sql(
      `update conversions set status = 'FAILED', attempts = 9, error_code = 'given_up', error = 'x', result_id = null, seconds = null
        where sha256 = $1`,
      [sha256],
    )
    expect(await retry('convert', job)).toMatchObject({ status: 204 })
    await done('convert')
    expect((await user.get(`/api/v1/user/files/${id}`)).body.conversion.status).toBe('COMPLETED')
  })

  test('of a failed scan or import refuse a retry and name its own operation; of one that stalled they resume it', {
    tags: ['long'],
  }, async () => {
    const user = await given.user()
    const scan = await settledScan(
      user,
      (await sendScan(user, { name: 'a.ply', bytes: 'ply\nformat none 1.0\n' })).body.id,
    )
    const scanJob = await failedJob('scan', { scanId: scan.id })
    const refused = await retry('scan', scanJob)
    expect(refused).toMatchObject({ status: 409 })
    expect(refused.body.error).toContain(`POST /api/v1/user/scans/${scan.id}/retry`)
    await sql("update scans set status = 'PROCESSING', error = null, error_code = null, attempts = 0 where id = $1", [
      scan.id,
    ])
    expect(await retry('scan', scanJob)).toMatchObject({ status: 204 })
    expect(await settledScan(user, scan.id)).toMatchObject({ status: 'FAILED' })

    const imports = importsOn(service, user)
    const { record } = await imports.imported('no columns of ours\n1\n')
    const importJob = await failedJob('gcp-csv-import', { uploadId: record.id })
    const answer = await retry('gcp-csv-import', importJob)
    expect(answer).toMatchObject({ status: 409 })
    expect(answer.body.error).toContain(`POST /api/gcp/upload/${record.id}/retry`)
    expect(await retry('gcp-csv-fetch', await failedJob('gcp-csv-fetch', { uploadId: unknownId }))).toMatchObject({
      status: 409,
    })
    await sql("update csv_uploads set status = 'PENDING', error_message = null where id = $1", [record.id])
    expect(await retry('gcp-csv-import', importJob)).toMatchObject({ status: 204 })
    expect(await imports.ended(record.id)).toMatchObject({ status: 'FAILED' })
  })
})

test('limits are those in effect, each with its setting, unit and description, and every CAIRN_LIMIT_ among them', async () => {
  const { limits } = (await ops.get(`${box}/limits`)).body
  expect(limits).toContainEqual({
    name: expect.any(String),
    setting: 'CAIRN_LIMIT_KEY_PER_MINUTE',
    value: 77,
    unit: 'requests a minute',
    description: expect.any(String),
  })
  const settings = limits.map(({ setting }: { setting: string }) => setting)
  expect(settings).toEqual(expect.arrayContaining(['CAIRN_UPLOAD_MAX_BYTES', 'CAIRN_APRIL_TAG_METRES']))
  expect(settings.filter((setting: string) => setting.startsWith('CAIRN_LIMIT_'))).toHaveLength(8)
})
