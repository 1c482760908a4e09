import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { formOf } from '../../../test/multipart.ts'
import { cleanUp, newFolder, type ServiceProcess, startProcess } from '../../../test/process.ts'
import { newBucket } from '../../../test/programs/s3/s3-bucket.ts'
import { runCommand } from '../../../test/run-command.ts'

const KILLS = Number(process.env.CAIRN_TEST_KILLS ?? 3)
const MB = 1_000_000

let folder: string
let database: Awaited<ReturnType<typeof createTestDatabase>>
let settings: Record<string, string>
let service: ServiceProcess | undefined
beforeAll(async () => {
  folder = await newFolder()
  database = await createTestDatabase()
  settings = {
    ...(await newBucket()),
    // A setting names a host, even where it is a socket's folder that counts.
    CAIRN_DATABASE_URL: database.url.replace('@/', '@localhost/'),
    CAIRN_LIMIT_UPLOADS_PER_HOUR: '1000000',
    CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: '1000000000000',
  }
})
afterAll(async () => {
  await cleanUp(folder, service)
  await database.drop()
})

test('after a kill -9 in the middle of uploads to S3 every record has its whole object, and every answer holds', {
  timeout: 60_000 + KILLS * 30_000,
}, async () => {
  let acknowledged = 0
  for (let kill = 0; kill < KILLS; kill++) {
    service = await startProcess(folder, { settings })
    expect(await readdir(join(folder, 'incoming-objects'))).toEqual([])
    const { url, child, ended } = service
    const uploads = [1, 3, 9, 27].map(async (size) => {
      for (;;) {
        const body = formOf({ name: `${size} MB.bin`, bytes: randomBytes(size * MB) })
        const answer = await fetch(`${url}/api/upload`, { method: 'POST', body }).catch(() => undefined)
        if (answer?.status !== 200) return
        await answer.body?.cancel()
        acknowledged++
      }
    })
    await sleep(500 + kill * 370)
    // A storage that is slow is given its time once.
    while (kill === KILLS - 1 && acknowledged === 0) await sleep(10)
    child.kill('SIGKILL')
    await Promise.all([ended, ...uploads])
  }
  const { code, out, err } = await runCommand(['files', 'check', '--hashes', '--json'], {
    CAIRN_DATA_DIR: folder,
    ...settings,
  })
  expect({ code, err, faults: JSON.parse(out).faults }).toEqual({ code: 0, err: '', faults: [] })
  expect(acknowledged).toBeGreaterThan(0)
  expect(JSON.parse(out).objects).toBeGreaterThanOrEqual(acknowledged)
})
