import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { HttpError } from '../../../platform/errors.ts'
import { newFileId } from '../../../platform/ids.ts'
import { createLog } from '../../../platform/logging/log.ts'
import { buildersOn } from '../../../test/builders.ts'
import { boxGlb } from '../../../test/content/glb.ts'
import { formOf } from '../../../test/multipart.ts'
import { type Caller, type Service, startSecondService, startService } from '../../../test/service.ts'
import { fileStore } from '../store.ts'
import { withoutOptions } from './conversion-key.ts'
import { createConversions } from './conversions.ts'
import { createConverter } from './converter.ts'
import { anchorImages } from './options/anchor-images.ts'

let service: Service
let database: Database
let user: Caller
beforeAll(async () => {
  service = await startService({ CAIRN_ROLE: 'api' })
  database = openDatabase({ url: service.databaseUrl, applicationName: 'test', max: 4 })
  user = await buildersOn(service).user()
})
afterAll(async () => {
  await database.close()
  await service.stop()
})

/** Conversions by this process, with as much room as this says. */
function conversionsWith(mustHaveForFiles: () => Promise<void>) {
  const { objects, jobs } = service.app
  const store = fileStore(database.kysely as never)
  return createConversions({
    store,
    objects,
    images: anchorImages({ store, objects }),
    converter: createConverter({ maxBytes: 2 ** 20, seconds: 60 }),
    jobs,
    jobDiskCheck: { assertSpaceForFiles: mustHaveForFiles, isShortForFiles: async () => false },
    changes: { listen: () => () => {} },
    groupOf: (sender) => sender,
    newFileId,
    log: createLog('silent'),
  })
}

test('a conversion that finds no disk space for its result keeps nothing, uses no attempt and runs later', {
  tags: ['long'],
}, async () => {
  const model = formOf({ name: 'box.glb', bytes: boxGlb() })
  const { fileId } = (await user.post('/api/upload', model)).body.results[0]
  const { sha256 } = (await fileStore(database.kysely as never).get(fileId))!
  const before = await service.objectsKept()
  const conversions = conversionsWith(async () => {
    throw new HttpError(507, 'full')
  })
  await conversions.request(withoutOptions(sha256), { sender: 'somebody' })
  await conversions.jobs[0]!.run({ sha256 }, AbortSignal.any([]))
  await conversions.close()
  const answer = async () => (await user.get(`/api/upload/convert?fileId=${fileId}`)).body
  expect(await answer()).toMatchObject({ status: 'PENDING' })
  expect(await service.objectsKept()).toEqual(before)
  const { rows } = await database.pool.query('select attempts from conversions where sha256 = $1', [sha256])
  expect(rows).toEqual([{ attempts: 0 }])
  const worker = await startSecondService(service, { CAIRN_ROLE: 'worker', CAIRN_DATA_DIR: service.folder })
  try {
    await expect.poll(async () => (await answer()).convertedFile).toBeDefined()
  } finally {
    await worker.stop()
  }
})
