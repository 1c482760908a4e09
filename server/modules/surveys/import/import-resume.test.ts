// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HttpError } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { Objects } from '../../../platform/storage/objects.ts'
import type { Answer } from '../../../test/service.ts'
import { openImports, surveyRows } from '../../../test/surveying/imports.ts'
import { lockTags } from '../../gcps/store.ts'
import { zoneStore } from '../../zones/store.ts'
import { csvStore } from '../store.ts'
import { importJob } from './import.ts'
import { BATCH_ROWS } from './import-batches.ts'
import { importStore } from './import-store.ts'

type Opened = Awaited<ReturnType<typeof openImports>>
let service: Opened['service']
let user: Opened['user']
let database: Opened['database']
let imports: Opened['imports']
let close: Opened['close']
beforeAll(async () => {
  ;({ service, user, database, imports, close } = await openImports())
})
afterAll(() => close())

describe('an interrupted import', () => {
  const uploads = () => csvStore(database.kysely)
  const job = (parts: Partial<Parameters<typeof importJob>[0]> = {}) =>
    importJob({
      mustHaveRoom: async () => {},
      uploads: uploads(),
      store: importStore(database.kysely, lockTags),
      findZone: zoneStore(database.kysely, database.kysely).get,
      objects: imports.objects,
      tagMetres: 100,
      ...parts,
    })
  const register = async (zoneId: number, content: string) => {
    const objectKey = await imports.stored(content)
    const upload = {
      fileName: 'f',
      fileUrl: imports.objects.addressOf(objectKey),
      zoneId,
      objectKey,
      dryRun: false,
      onError: 'skip' as const,
    }
    return (await uploads().register(newId(), upload, user.id, 100, async () => {}))!.id
  }
  /** A store that fails after some batches: before the next write, or after it before the caller knows. */
  const breakingOff = (batches: number, answered: boolean): ReturnType<typeof importStore>['apply'] => {
    let count = 0
    return async (...batch) => {
      const last = count++ >= batches
      const killed = Object.assign(new Error('killed'), { code: 'ECONNRESET' })
      if (last && answered) throw killed
      const outcome = await importStore(database.kysely, lockTags).apply(...batch)
      if (last) throw killed
      return outcome
    }
  }
  const content = `${surveyRows(3600)}bad,95,20,0,x\n${Array.from({ length: 800 }, (_, i) => `Q${i},${40 + i * 1e-4},20,1,z`).join('\n')}\n`
  const state = async (zoneId: number, id: string) => {
    const gcps = (await service.anonymous.get(`/api/gcp?zoneId=${zoneId}`)).body
    const { summary, rows } = (await service.anonymous.get(`/api/gcp/upload/${id}/report`)).body
    const { status, errorMessage, rowCount, processedRows } = await imports.ended(id)
    const points = gcps.map((gcp: Answer['body']) => [gcp.title, gcp.description, gcp.pin.latitude, gcp.pin.geoPose])
    return { summary, rows, status, errorMessage, rowCount, processedRows, points }
  }

  test('resumes after the last committed row and ends in the same state, wherever it was interrupted', {
    timeout: 120_000,
  }, async () => {
    const straight = await imports.zone()
    const whole = await register(straight, content)
    await job().run({ uploadId: whole }, new AbortController().signal)
    const expected = await state(straight, whole)
    expect(expected).toMatchObject({
      status: 'COMPLETED',
      rowCount: 4401,
      processedRows: 4400,
      summary: { created: 4400, failed: 1 },
    })

    for (const [batches, answered] of [
      [0, true],
      [2, true],
      [3, false],
      [4, false],
    ] as const) {
      const zoneId = await imports.zone()
      const id = await register(zoneId, content)
      const dying = { ...importStore(database.kysely, lockTags), apply: breakingOff(batches, answered) }
      await expect(job({ store: dying }).run({ uploadId: id }, new AbortController().signal)).rejects.toThrow('killed')
      expect(await uploads().get(id)).toMatchObject({ status: 'PROCESSING' })
      expect((await uploads().summary(id))!.summary.rows).toBe(
        Math.min(4401, (batches + (answered ? 0 : 1)) * BATCH_ROWS),
      )
      await job().run({ uploadId: id }, new AbortController().signal)
      expect(await state(zoneId, id)).toEqual(expected)
    }
  })

  test('stops between two batches when its process shuts down, and another run resumes it', async () => {
    const zoneId = await imports.zone()
    const id = await register(zoneId, content)
    const stopping = new AbortController()
    const { apply } = importStore(database.kysely, lockTags)
    const store = {
      ...importStore(database.kysely, lockTags),
      apply: async (...batch: Parameters<typeof apply>) => {
        stopping.abort()
        return apply(...batch)
      },
    }
    await expect(job({ store }).run({ uploadId: id }, stopping.signal)).rejects.toThrow(
      'another run resumes the import',
    )
    expect((await uploads().summary(id))!.summary.rows).toBe(BATCH_ROWS)
    await job().run({ uploadId: id }, new AbortController().signal)
    expect(await imports.ended(id)).toMatchObject({ status: 'COMPLETED', processedRows: 4400 })
  })

  test('waits while the database disk is nearly full, says so, and resumes afterwards', async () => {
    const zoneId = await imports.zone()
    const id = await register(zoneId, content)
    let looks = 0
    const mustHaveRoom = async () => {
      // The detected format, and the first batch.
      if (++looks > 2) throw new HttpError(507, 'full')
    }
    await expect(job({ mustHaveRoom }).run({ uploadId: id }, new AbortController().signal)).rejects.toThrow('full')
    expect(await uploads().get(id)).toMatchObject({
      status: 'PROCESSING',
      errorMessage: expect.stringContaining('Waiting: the disk'),
    })
    await job().run({ uploadId: id }, new AbortController().signal)
    expect(await state(zoneId, id)).toMatchObject({ status: 'COMPLETED', processedRows: 4400 })
  })

  test('applies each row once with two concurrent runs', async () => {
    const zoneId = await imports.zone()
    const id = await register(zoneId, content)
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => job().run({ uploadId: id }, new AbortController().signal)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
    await job().run({ uploadId: id }, new AbortController().signal)
    expect(await state(zoneId, id)).toMatchObject({
      status: 'COMPLETED',
      processedRows: 4400,
      summary: { created: 4400, updated: 0, failed: 1 },
    })
  })

  test('stops when its record is deleted', async () => {
    const zoneId = await imports.zone()
    const id = await register(zoneId, content)
    const removing: Pick<Objects, 'read'> = {
      async read(key) {
        const bytes = await imports.objects.read(key)
        await uploads().remove(id, { gcps: true })
        return bytes
      },
    }
    await job({ objects: removing }).run({ uploadId: id }, new AbortController().signal)
    expect((await service.anonymous.get(`/api/gcp?zoneId=${zoneId}`)).body).toEqual([])
  })
})
