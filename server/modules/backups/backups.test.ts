// @module-tag long
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkBackup } from '../../platform/backup/check.ts'
import { fileNameAt } from '../../platform/backup/places/place.ts'
import { LOCKS } from '../../platform/database/locks/locks.ts'
import { aloneWith } from '../../platform/database/locks/session-locks.ts'
import { buildersOn } from '../../test/builders.ts'
import { png } from '../../test/content/glb.ts'
import { formOf } from '../../test/multipart.ts'
import { backupProcess } from '../../test/processes/backup-process.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

vi.setConfig({ testTimeout: 60_000 })

const HOUR = 3_600_000
const NOTHING =
  'tried_at = null, succeeded_at = null, seconds = null, bytes = null, place = null, failed_at = null, failure = null'

let service: Service
let ops: Caller
let folder: string
let made: ReturnType<typeof backupProcess>[] = []
beforeAll(async () => {
  service = await startService({ CAIRN_BACKUP_EVERY: '6h', CAIRN_ROLE: 'api' })
  ops = await buildersOn(service).user({ roles: ['ops'] })
  expect((await ops.post('/api/upload', formOf({ name: 'a.png', bytes: png }))).status).toBe(200)
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-backups-'))
  await sqlOn(service)(`update backup_state set ${NOTHING}`)
})
afterEach(async () => {
  await Promise.all(made.map((one) => one.close()))
  made = []
  await rm(folder, { recursive: true })
})
afterAll(() => service.stop())

function process(settings: Record<string, string> = {}) {
  const one = backupProcess(service, { CAIRN_BACKUP_EVERY: '6h', CAIRN_BACKUP_DIR: folder, ...settings })
  made.push(one)
  return one
}
const files = async () => (await readdir(folder)).toSorted()
const health = async () => (await ops.get('/api/v1/box/health')).body.backups

describe('a scheduled backup', () => {
  test('is made when one is due, is whole, and readable by its owner only; the next one an interval later', async () => {
    const one = process()
    const first = one.clock.at
    await one.look()
    expect(await files()).toEqual([fileNameAt(first)])
    const path = join(folder, fileNameAt(first))
    expect((await checkBackup(path)).tables.map(({ name }) => name)).toContain('files')
    expect((await readFile(path)).includes(png)).toBe(true)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    one.clock.at += 6 * HOUR - 1
    await one.look()
    expect(await files()).toHaveLength(1)
    one.clock.at += 1
    await one.look()
    expect(await files()).toEqual([fileNameAt(first), fileNameAt(first + 6 * HOUR)])
  })

  test('is shown with its time, size, duration and place, and when the next one is due', async () => {
    const one = process()
    const { at } = one.clock
    await one.look()
    const path = join(folder, fileNameAt(at))
    expect(await one.state()).toEqual({
      state: 'ok',
      everySeconds: 21_600,
      place: folder,
      lastSuccess: {
        at: new Date(at).toISOString(),
        bytes: (await stat(path)).size,
        seconds: expect.any(Number),
        place: path,
      },
      lastFailure: null,
      runningSince: null,
      nextAt: new Date(at + 6 * HOUR).toISOString(),
    })
    const { lastSuccess, nextAt, state } = await health()
    expect({ lastSuccess, nextAt, state }).toEqual({
      lastSuccess: (await one.state()).lastSuccess,
      nextAt: new Date(at + 6 * HOUR).toISOString(),
      state: 'ok',
    })
    expect(await one.metrics()).toContain(`cairn_backup_last_success_timestamp_seconds ${at / 1000}`)
  })

  test('is late once the last one is older than two intervals', async () => {
    const one = process()
    await one.look()
    one.clock.at += 12 * HOUR
    expect((await one.state()).state).toBe('ok')
    one.clock.at += 1
    expect((await one.state()).state).toBe('late')
    const failing = process({ CAIRN_DISK_RESERVE_BYTES: String(2 ** 49) })
    failing.clock.at = one.clock.at
    await failing.look()
    expect((await failing.state()).state).toBe('late')
    await one.look()
    expect((await one.state()).state).toBe('late')
    one.clock.at += HOUR
    await one.look()
    expect((await one.state()).state).toBe('ok')
  })

  test('is made by one of two processes', async () => {
    const [one, other] = [process(), process()]
    other.clock.at = one.clock.at + 1000
    await Promise.all([one.look(), other.look()])
    expect(await files()).toHaveLength(1)
    await Promise.all([one.look(), other.look()])
    expect(await files()).toHaveLength(1)
  })

  test('is left to a process that is making one, which the health shows', async () => {
    const one = process()
    const busy = aloneWith(service.databaseUrl, 'test', LOCKS.scheduledBackup)
    await busy(async () => {
      await one.look()
      expect(await files()).toEqual([])
      await sqlOn(service)('update backup_state set tried_at = $1', ['2026-01-31T02:00:00Z'])
      expect((await health()).runningSince).toBe('2026-01-31T02:00:00.000Z')
    })
    expect((await health()).runningSince).toBeNull()
    await one.look()
    expect(await files()).toHaveLength(1)
  })

  test('is not made by a process that leaves jobs to workers', async () => {
    await process({ CAIRN_ROLE: 'api' }).look()
    expect(await files()).toEqual([])
  })
})

describe('outdated backups', () => {
  const old = async (hours: number, now: number) => {
    const name = fileNameAt(now - hours * HOUR)
    await writeFile(join(folder, name), 'an old one')
    return name
  }

  test('are deleted by count, and no other file is', async () => {
    const one = process({ CAIRN_BACKUP_KEEP: '2' })
    const { at } = one.clock
    const [kept] = [await old(6, at), await old(12, at), await old(18, at)]
    await writeFile(join(folder, 'cairn-2020-01-01.tar'), 'of another program')
    await one.look()
    expect(await files()).toEqual(['cairn-2020-01-01.tar', kept, fileNameAt(at)].toSorted())
  })

  test('are deleted by age, but the newest one stays however old it is', async () => {
    const one = process({ CAIRN_BACKUP_KEEP_DAYS: '1' })
    const { at } = one.clock
    const [kept] = [await old(23, at), await old(25, at)]
    await one.look()
    expect(await files()).toEqual([kept, fileNameAt(at)])
  })

  test('stay while the new one fails', async () => {
    const one = process({ CAIRN_BACKUP_KEEP: '1', CAIRN_DISK_RESERVE_BYTES: String(2 ** 49) })
    const kept = [await old(12, one.clock.at), await old(6, one.clock.at)]
    await one.look()
    expect(await files()).toEqual(kept)
  })
})

describe('a backup that fails', () => {
  test('for lack of free space is not started, and the health says what to do', async () => {
    const one = process({ CAIRN_DISK_RESERVE_BYTES: String(2 ** 49) })
    await one.look()
    expect(await files()).toEqual([])
    const { state, lastFailure } = await health()
    expect([state, lastFailure.message]).toEqual(['failed', expect.stringContaining('too little free space')])
  })

  test('because nothing can be written there says so, keeps the old one, and is repeated after a quarter of the interval', async () => {
    const good = process()
    await good.look()
    const before = await readFile(join(folder, fileNameAt(good.clock.at)))
    await writeFile(join(folder, 'file'), '')
    const one = process({ CAIRN_BACKUP_DIR: join(folder, 'file') })
    one.clock.at = good.clock.at + 6 * HOUR
    await one.look()
    const { state, lastFailure, lastSuccess, nextAt } = await one.state()
    expect([state, lastFailure?.message]).toEqual([
      'failed',
      expect.stringMatching(/cannot be written.*CAIRN_BACKUP_DIR/),
    ])
    expect(lastSuccess?.place).toBe(join(folder, fileNameAt(good.clock.at)))
    expect(await readFile(join(folder, fileNameAt(good.clock.at)))).toEqual(before)
    expect(nextAt).toBe(new Date(one.clock.at + HOUR).toISOString())
    // The folder is there again.
    good.clock.at = one.clock.at + HOUR
    await good.look()
    expect((await good.state()).state).toBe('ok')
  })

  test('when its process is killed leaves a part that the next one removes, and is reported', async () => {
    const one = process()
    const { at } = one.clock
    await writeFile(join(folder, `${fileNameAt(at - 6 * HOUR)}.partial`), 'half')
    await sqlOn(service)(`update backup_state set tried_at = to_timestamp($1::float8 / 1000)`, [at - 6 * HOUR])
    await one.look()
    expect(await files()).toEqual([fileNameAt(at)])
    expect((await one.state()).lastFailure?.message).toContain('ended before it was complete')
  })

  test('when its process stops leaves nothing, is no failure, and is due at once', async () => {
    await mkdir(join(folder, 'sub'))
    const one = process({ CAIRN_BACKUP_DIR: join(folder, 'sub') })
    const looking = one.look()
    await one.stop()
    await looking
    expect(await readdir(join(folder, 'sub'))).toEqual([])
    const { lastFailure, nextAt } = await one.state()
    expect([lastFailure, nextAt]).toEqual([null, new Date(one.clock.at).toISOString()])
  })
})
