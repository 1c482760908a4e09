// @module-tag long
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import type { Answer } from '../../../test/service.ts'
import { openImports, surveyRows } from '../../../test/surveying/imports.ts'
import { lockTags } from '../../gcps/store.ts'
import { zoneStore } from '../../zones/store.ts'
import { createSurveyReaderPool } from '../process/survey-reader.ts'
import { csvStore } from '../store.ts'
import { importJob } from './import.ts'
import { importStore } from './import-store.ts'

type Opened = Awaited<ReturnType<typeof openImports>>
let user: Opened['user']
let database: Opened['database']
let imports: Opened['imports']
let close: Opened['close']
beforeAll(async () => {
  ;({ user, database, imports, close } = await openImports())
})
afterAll(() => close())

/** The child processes that read survey files. */
const readers = (): number[] =>
  readdirSync('/proc/self/task')
    .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean))
    .map(Number)
    .filter((pid) => commandOf(pid).includes('survey-process.ts'))

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

describe.runIf(process.platform === 'linux')('the reader process', () => {
  test('may be killed repeatedly: the import resumes and completes', { timeout: 120_000 }, async () => {
    const rows = 12_000
    const zoneId = await imports.zone()
    const content = `${surveyRows(rows)}bad,95,20,0,x\n`
    const { body } = await imports.send(zoneId, await imports.stored(content))
    const progress = async () => (await imports.report(body.id)).summary.rows
    let killed = 0
    let before = -1
    for (const part of [0, 0.2, 0.4, 0.6]) {
      // Kill only after progress: an import fails after three kills at the same row.
      for (;;) {
        const now = await progress()
        if (now > rows || (now > before && now >= rows * part && readers().length > 0)) break
        await sleep(5)
      }
      for (const pid of readers()) process.kill(pid, 'SIGKILL')
      before = await progress()
      if (before < rows) killed++
    }
    expect(killed).toBeGreaterThan(1)
    expect(await imports.ended(body.id)).toMatchObject({ status: 'COMPLETED', rowCount: rows + 1, processedRows: rows })
    const { summary } = await imports.report(body.id)
    expect(summary).toEqual({ rows: rows + 1, created: rows, updated: 0, unchanged: 0, failed: 1, warnings: 0 })
    const gcps: Answer['body'][] = await imports.gcps(zoneId)
    expect(new Set(gcps.map(({ title }) => title)).size).toBe(gcps.length)
  })

  test('is reused after it refused a file', async () => {
    const zoneId = await imports.zone()
    const ended = async (content: string) =>
      (await imports.ended((await imports.send(zoneId, await imports.stored(content))).body.id)).status
    expect(await ended(surveyRows(1))).toBe('COMPLETED')
    const before = readers()
    expect(await ended('nothing that could be read')).toBe('FAILED')
    expect(await ended(surveyRows(2))).toBe('COMPLETED')
    expect(readers()).toEqual(before)
  })

  const ran = async (content: string, options: Parameters<typeof createSurveyReaderPool>[0]) => {
    const uploads = csvStore(database.kysely)
    const zoneId = await imports.zone()
    const objectKey = await imports.stored(content)
    const fileUrl = imports.objects.addressOf(objectKey)
    const upload = { fileName: 'f', fileUrl, zoneId, objectKey, dryRun: false, onError: 'skip' as const }
    const { id } = (await uploads.register(newId(), upload, user.id, 100, async () => {}))!
    const readers = createSurveyReaderPool(options)
    const job = importJob({
      mustHaveRoom: async () => {},
      uploads,
      store: importStore(database.kysely, lockTags),
      findZone: zoneStore(database.kysely, database.kysely).get,
      objects: imports.objects,
      readers,
      tagMetres: 100,
    })
    const fault = await job.run({ uploadId: id }, new AbortController().signal).catch((error) => error)
    await readers.close()
    return { id, fault, record: await imports.ended(id) }
  }

  test('reads a file that names another reference system in each row within its memory limit', {
    timeout: 120_000,
  }, async () => {
    const lines = Array.from({ length: 250 }, (_, i) => `P${i},${400_000 + i},5800000,${systemText(i)}`)
    const { fault, record } = await ran(`title,easting,northing,crs\n${lines.join('\n')}\n`, { heapMegabytes: 20 })
    expect(fault).toBeUndefined()
    expect(record).toMatchObject({ status: 'COMPLETED', processedRows: 250 })
  })

  test.each([
    ['loops', 'loop', 'The file took too long to read'],
    ['fills its memory', 'fill', 'The file needs more memory than one file may use'],
    ['dies each time', 'die', 'The process that reads the file was killed 3 times after row 0'],
    ['fails', 'throw', 'The import stopped on an internal error'],
  ])('%s: the import is FAILED with the reason, and can be retried', async (_, word, message) => {
    const { id, fault, record } = await ran(`${word}\n`, {
      script: new URL('../../../test/processes/reader-script.ts', import.meta.url),
      seconds: word === 'loop' ? 0.5 : 30,
      heapMegabytes: 32,
    })
    expect(fault?.message).toEqual(word === 'throw' ? expect.stringContaining('a fault') : undefined)
    expect(record).toMatchObject({ status: 'FAILED', errorMessage: expect.stringContaining(message) })
    // The original file without the fault.
    expect((await user.post(`/api/gcp/upload/${id}/retry`)).status).toBe(200)
    expect((await imports.ended(id)).errorMessage).not.toContain(message)
  })
})

/** WKT of a system, unique for each row, of about 7 KiB. */
const systemText = (i: number): string =>
  `"PROJCS[""p${i}"",GEOGCS[""g"",DATUM[""WGS_1984"",SPHEROID[""WGS 84"",6378137,298.257223563]],PRIMEM[""Greenwich"",0],UNIT[""degree"",0.0174532925199433]],PROJECTION[""Transverse_Mercator""],${'PARAMETER[""latitude_of_origin"",0],'.repeat(180)}PARAMETER[""central_meridian"",15],PARAMETER[""scale_factor"",0.9996],PARAMETER[""false_easting"",500000],PARAMETER[""false_northing"",0],UNIT[""metre"",1]]"`
