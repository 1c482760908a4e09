import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileNameAt } from '../../platform/backup/places/place.ts'
import { placeOf } from '../../platform/backup/places/place-of.ts'
import { readConfig } from '../../platform/config.ts'
import { backupProcess } from '../../test/processes/backup-process.ts'
import { newBucket } from '../../test/programs/s3/s3-bucket.ts'
import { runCommandOn } from '../../test/run-command.ts'
import { type Service, startService } from '../../test/service.ts'

const HOUR = 3_600_000

let service: Service
let settings: Record<string, string>
beforeAll(async () => {
  service = await startService({ CAIRN_ROLE: 'api' })
  const bucket = Object.entries(await newBucket())
  settings = {
    CAIRN_BACKUP_EVERY: '6h',
    CAIRN_BACKUP_KEEP: '2',
    CAIRN_BACKUP_S3_PREFIX: 'cairn',
    ...Object.fromEntries(bucket.map(([name, value]) => [name.replace('CAIRN_S3_', 'CAIRN_BACKUP_S3_'), value])),
  }
})
afterAll(() => service.stop())

test('backups are written to the bucket and deleted by count; a failure says why and keeps them; a drill restores the newest', async () => {
  const one = backupProcess(service, settings)
  const first = one.clock.at
  for (const interval of [0, 1, 2]) {
    one.clock.at = first + interval * 6 * HOUR
    await one.look()
  }
  const stored = async () => (await placeOf(readConfig(settings, '')).list()).map(({ file }) => file)
  const kept = [fileNameAt(first + 12 * HOUR), fileNameAt(first + 6 * HOUR)]
  expect(await stored()).toEqual(kept)
  const place = `s3://${settings.CAIRN_BACKUP_S3_BUCKET}/cairn`
  expect(await one.state()).toMatchObject({ state: 'ok', place, lastSuccess: { place: `${place}/${kept[0]}` } })

  const failing = backupProcess(service, { ...settings, CAIRN_BACKUP_S3_SECRET_ACCESS_KEY: 'wrong' })
  failing.clock.at = first + 18 * HOUR
  await failing.look()
  const { state, lastFailure } = await failing.state()
  expect([state, lastFailure?.message]).toEqual([
    'failed',
    expect.stringContaining('CAIRN_BACKUP_S3_SECRET_ACCESS_KEY'),
  ])
  expect(await stored()).toEqual(kept)
  await Promise.all([one.close(), failing.close()])

  const drill = await runCommandOn(service, ['backup', 'verify', '--latest', '--json'], settings)
  expect(drill).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(drill.out)).toMatchObject({ file: `${place}/${kept[0]}`, secretFits: true })
}, 120_000)
