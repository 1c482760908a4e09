import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startChild } from './child.ts'
import type { Comparison } from './comparison.ts'
import { withOwnDatabase } from './own-database.ts'
import { postmasterOf } from './postmaster.ts'
import { cpuSecondsOf } from './process-cpu.ts'
import { memoryOf, peakDuring } from './process-memory.ts'

const FILE_ROWS = 200_000

type Service = Awaited<ReturnType<typeof startChild<{ url: string; token: string }>>> & { postgres: number }

/**
 * Importing files of survey points through HTTP beside COPY of the same rows into the same tables, which is the most
 * that the database takes: five files of 200,000 rows into one zone, then the first of them again.
 * @param url a PostgreSQL on this machine that may create databases and write files
 */
export function benchImports(url: string, rows = FILE_ROWS, files = 5): Promise<Comparison[]> {
  return withOwnDatabase(url, async (databaseUrl) => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-imports-'))
    const started = await startChild<{ url: string; token: string }>('service-process.ts', [databaseUrl, folder])
    const service = { ...started, postgres: await postmasterOf(databaseUrl) }
    try {
      const { id: zoneId } = await post(service, '/api/zones', { title: 'Bench' })
      await imported(service, zoneId, surveyFile(1000, 'warm'))
      await untilIdle(service.pid)
      const idle = await memoryOf(service.pid)
      const runs: Run[] = []
      const first = await peakDuring(service.pid, async () => {
        runs.push(await imported(service, zoneId, surveyFile(rows, 'F0')))
      })
      const copied = await copyRate(databaseUrl, runs[0]!.id)
      const further = await peakDuring(service.pid, async () => {
        for (let i = 1; i < files; i++) runs.push(await imported(service, zoneId, surveyFile(rows, `F${i}`)))
      })
      const again = await imported(service, zoneId, surveyFile(rows, 'F0'))
      const compared = (name: string, { id: _, ...ours }: Run): Comparison => ({
        name: `${name} / COPY of them into the same tables`,
        ours,
        peer: copied,
        ratio: ours.rowsPerSecond / copied.rowsPerSecond,
        target: '20,000 rows/s a core',
      })
      return [
        compared(`import of ${rows} new rows`, runs[0]!),
        compared(`the ${files}th such file in the zone`, runs.at(-1)!),
        compared(`import of ${rows} rows that change nothing`, again),
        {
          name: `memory: growth over the first ${rows} rows, with the process that reads / 60 MB`,
          ours: { megabytes: first.whole - idle.whole, ofTheService: first.own - idle.own, ofTheReader: first.started },
          peer: { megabytes: 60 },
          ratio: (first.whole - idle.whole) / 60,
          target: 'at most 1',
        },
        {
          name: `memory: further growth over the next ${(files - 1) * rows} rows / 30 MB`,
          ours: {
            megabytes: further.whole - first.whole,
            ofTheService: further.own - first.own,
            ofTheReader: further.started - first.started,
          },
          peer: { megabytes: 30 },
          ratio: (further.whole - first.whole) / 30,
          target: 'flat: at most 1',
        },
      ]
    } finally {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

/** A grid of points a metre apart, as a surveyor's file says them. */
function surveyFile(rows: number, name: string): Blob {
  const band = Number(/\d+$/.exec(name)?.[0] ?? 9)
  const parts = ['title,lat,lon,h,description\n']
  for (let i = 0; i < rows; i++) {
    const latitude = (10 + band * 0.1 + Math.floor(i / 500) * 1e-5).toFixed(7)
    const longitude = (20 + (i % 500) * 1e-5).toFixed(7)
    parts.push(`${name}-${i},${latitude},${longitude},${(i % 977) / 10},row ${i} of the survey\n`)
  }
  return new Blob(parts, { type: 'text/csv' })
}

type ImportRecord = { status: string; errorMessage: string | null; rowCount: number }
type Rates = { rowsPerSecond: number; rowsPerCpuSecondOfPostgres: number }
type Run = Rates & { id: string; rowsPerCpuSecondOfTheService: number }

/** Once what reads survey files has ended: it stays some seconds for the next file. */
async function untilIdle(pid: number): Promise<void> {
  while ((await memoryOf(pid)).started > 0) await sleep(100)
}

async function imported(service: Service, zoneId: number, file: Blob): Promise<Run> {
  const form = new FormData()
  form.set('file', file, 'survey.csv')
  const { results } = await post(service, '/api/upload', form)
  const spent = () => Promise.all([service.pid, service.postgres].map(cpuSecondsOf))
  const [began, before] = [performance.now(), await spent()]
  const { id } = await post(service, '/api/gcp/upload', { fileName: 'survey.csv', fileUrl: results[0].url, zoneId })
  for (;;) {
    const record = (await (await fetch(`${service.url}/api/gcp/upload/${id}`)).json()) as ImportRecord
    if (record.status === 'FAILED' || record.errorMessage) throw new Error(`the import failed: ${record.errorMessage}`)
    if (record.status === 'COMPLETED') {
      const seconds = (performance.now() - began) / 1000
      const [ours, postgres] = (await spent()).map((now, i) => now - before[i]!) as [number, number]
      return {
        id,
        rowsPerSecond: record.rowCount / seconds,
        rowsPerCpuSecondOfTheService: record.rowCount / ours,
        rowsPerCpuSecondOfPostgres: record.rowCount / postgres,
      }
    }
    await sleep(50)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a benchmark looks into answers without knowing their types.
async function post({ url, token }: Service, path: string, body: object): Promise<any> {
  const isForm = body instanceof FormData
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...(!isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

const GCPS = 'title, title_key, description, gcp_type, altitude, user_id, csv_upload_id, survey'
const PINS = 'title, latitude, longitude, geo_pose, content_type, user_id'
/** Ids that no row has yet. */
const BEYOND = 1_000_000_000

/** How fast COPY writes, GCPs and pins in one transaction, of what an import made; they go again. */
async function copyRate(url: string, uploadId: string): Promise<Rates> {
  const shared = mkdtempSync(join(tmpdir(), 'cairn-bench-copy-'))
  chmodSync(shared, 0o777)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(`insert into zones (title) values ('Copy') returning id`)
    const [zone, made] = [Number(rows[0].id), `csv_upload_id = '${uploadId}'`]
    const [gcps, pins] = [`'${shared}/gcps'`, `'${shared}/pins'`]
    await client.query(`copy (select id + ${BEYOND}, ${zone}, ${GCPS} from gcps where ${made}) to ${gcps}`)
    await client.query(
      `copy (select p.id + ${BEYOND}, ${zone}, gcp_id + ${BEYOND}, ${PINS.replace(/\w+/g, 'p.$&')}
               from pins p join gcps g on g.id = p.gcp_id where ${made}) to ${pins}`,
    )
    const postgres = await postmasterOf(url)
    const [began, before] = [performance.now(), await cpuSecondsOf(postgres)]
    await client.query('begin')
    const { rowCount } = await client.query(`copy gcps (id, zone_id, ${GCPS}) from ${gcps}`)
    await client.query(`copy pins (id, zone_id, gcp_id, ${PINS}) from ${pins}`)
    await client.query('commit')
    const seconds = (performance.now() - began) / 1000
    const cpuSeconds = (await cpuSecondsOf(postgres)) - before
    await client.query('delete from gcps where zone_id = $1', [zone])
    return { rowsPerSecond: rowCount! / seconds, rowsPerCpuSecondOfPostgres: rowCount! / cpuSeconds }
  } finally {
    await client.end()
    rmSync(shared, { recursive: true, force: true })
  }
}
