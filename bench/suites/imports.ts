import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { postmasterOf } from '../databases/postmaster.ts'
import { withTemporaryDatabase } from '../databases/temporary-database.ts'
import { cpuSecondsOf } from '../measure/process-cpu.ts'
import { type Memory, memoryOf, peakDuring } from '../measure/process-memory.ts'
import { startChild } from '../processes/child.ts'
import type { Comparison } from '../record/comparison.ts'

const FILE_ROWS = 200_000

type Service = Awaited<ReturnType<typeof startChild<{ url: string; token: string }>>> & { postgres: number }

/**
 * Imports survey files through HTTP, compared with COPY of the same rows into the same tables, which is the limit of the
 * database, after the first file and again after the last: five files of 200,000 rows into one zone, then the first of
 * them again. Then five files into a service that
 * searches pins in the database, for the memory of the import alone: the pin index takes memory by its number of pins.
 * @param url a PostgreSQL on this machine that may create databases and write files
 */
export async function benchImports(url: string, rows = FILE_ROWS, files = 5): Promise<Comparison[]> {
  const usual = await withService(url, {}, async (service, zoneId, databaseUrl) => {
    const copies: Rates[] = []
    const { runs, grown } = await importsOf(service, zoneId, { rows, files }, async ({ id }) => {
      copies.push(await copyRate(databaseUrl, id))
    })
    copies.push(await copyRate(databaseUrl, runs[0]!.id))
    const again = await imported(service, zoneId, surveyFile(rows, 'F0'))
    return { runs, grown, again, copies }
  })
  const alone = await withService(url, { CAIRN_PIN_INDEX_BYTES: '0' }, (service, zoneId) =>
    importsOf(service, zoneId, { rows, files }),
  )
  const [copied, copiedLast] = usual.copies as [Rates, Rates]
  const compared = (name: string, { id: _, ...ours }: Run, peer: Rates): Comparison => ({
    name: `${name} / COPY of them into the same tables`,
    ours,
    peer,
    ratio: ours.rowsPerSecond / peer.rowsPerSecond,
    target: '20,000 rows/s a core',
  })
  const grew = (name: string, grown: Memory, limit: number, target: string): Comparison => ({
    name: `${name} / ${limit} MB`,
    ours: { megabytes: grown.whole, ofTheService: grown.own, ofTheReader: grown.started },
    peer: { megabytes: limit },
    ratio: grown.whole / limit,
    target,
  })
  const [first, further] = [
    `the first ${rows} rows, with the process that reads`,
    `the next ${(files - 1) * rows} rows`,
  ]
  return [
    compared(`import of ${rows} new rows`, usual.runs[0]!, copied),
    compared(`the ${files}th such file in the zone`, usual.runs.at(-1)!, copiedLast),
    compared(`import of ${rows} rows that change nothing`, usual.again, copied),
    grew(`memory: growth over ${first}`, alone.grown.first, 60, 'at most 1'),
    grew(`memory: further growth over ${further}`, alone.grown.further, 30, 'flat: at most 1'),
    {
      name: `in use after a collection: before and after ${files * rows} rows / 5 MB more`,
      ours: { before: alone.inUse[0], after: alone.inUse[1], megabytes: alone.inUse[1] - alone.inUse[0] },
      peer: { megabytes: 5 },
      ratio: (alone.inUse[1] - alone.inUse[0]) / 5,
      target: 'flat: at most 1',
    },
    grew(`with pins kept for searches: growth over ${first}`, usual.grown.first, 60, 'none: by the number of pins'),
    grew(`with pins kept for searches: over ${further}`, usual.grown.further, 30, 'none: by the number of pins'),
  ]
}

/** A service with a zone, in its own process with its own database. */
function withService<T>(
  url: string,
  settings: Record<string, string>,
  use: (service: Service, zoneId: number, databaseUrl: string) => Promise<T>,
): Promise<T> {
  return withTemporaryDatabase(url, async (databaseUrl) => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-imports-'))
    const env = { CAIRN_BENCH_SETTINGS: JSON.stringify(settings) }
    const started = await startChild<{ url: string; token: string }>('service-process.ts', [databaseUrl, folder], env)
    const service = { ...started, postgres: await postmasterOf(databaseUrl) }
    try {
      const { id: zoneId } = await post(service, '/api/zones', { title: 'Bench' })
      return await use(service, zoneId, databaseUrl)
    } finally {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

/** Imports the files in sequence. @param afterFirst runs between the first and the others @returns the time of each, and the memory above idle */
async function importsOf(
  service: Service,
  zoneId: number,
  { rows, files }: { rows: number; files: number },
  afterFirst: (first: Run) => Promise<void> = async () => {},
) {
  await imported(service, zoneId, surveyFile(1000, 'warm'))
  await untilIdle(service.pid)
  const [idle, usedThen] = [await memoryOf(service.pid), await service.memoryInUse()]
  const runs: Run[] = []
  const first = await peakDuring(service.pid, async () => {
    runs.push(await imported(service, zoneId, surveyFile(rows, 'F0')))
  })
  await afterFirst(runs[0]!)
  const further = await peakDuring(service.pid, async () => {
    for (let i = 1; i < files; i++) runs.push(await imported(service, zoneId, surveyFile(rows, `F${i}`)))
  })
  const inUse = [usedThen, await service.memoryInUse()] as const
  return { runs, inUse, grown: { first: less(first, idle), further: less(further, first) } }
}

const less = (one: Memory, other: Memory): Memory => ({
  whole: one.whole - other.whole,
  own: one.own - other.own,
  started: one.started - other.started,
})

/** A grid of points a metre apart, as a surveyor's file. */
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

/** Waits until the reader process has ended: it stays some seconds for the next file. */
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

// biome-ignore lint/suspicious/noExplicitAny: benchmarks read responses without knowing their types.
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
/** Unused IDs. */
const BEYOND = 1_000_000_000

/** Speed of COPY for the GCPs and pins of an import in one transaction; they are deleted afterwards. */
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
    // Otherwise autovacuum does so during the next import.
    await client.query('vacuum gcps, pins, changes')
    return { rowsPerSecond: rowCount! / seconds, rowsPerCpuSecondOfPostgres: rowCount! / cpuSeconds }
  } finally {
    await client.end()
    rmSync(shared, { recursive: true, force: true })
  }
}
