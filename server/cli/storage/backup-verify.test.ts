// @module-tag long
import { copyFile, mkdtemp, open, readdir, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { png } from '../../test/content/glb.ts'
import { formOf } from '../../test/multipart.ts'
import { backupProcess } from '../../test/processes/backup-process.ts'
import { runCommandOn } from '../../test/run-command.ts'
import { type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

// Each command is a process of its own, and starts a PostgreSQL.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let service: Service
let folder: string
let scratch: string
let file: string
let settings: Record<string, string>
beforeAll(async () => {
  service = await startService({ CAIRN_ROLE: 'api' })
  folder = await mkdtemp(join(tmpdir(), 'cairn-verify-'))
  scratch = await mkdtemp(join(tmpdir(), 'cairn-scratch-'))
  const user = await buildersOn(service).user()
  expect((await user.post('/api/upload', formOf({ name: 'a.png', bytes: png }))).status).toBe(200)
  settings = { CAIRN_BACKUP_EVERY: '1d', CAIRN_BACKUP_DIR: folder }
  const backups = backupProcess(service, settings)
  await backups.look()
  await backups.close()
  file = join(folder, (await readdir(folder))[0]!)
})
afterAll(async () => {
  await service.stop()
  await Promise.all([folder, scratch].map((path) => rm(path, { recursive: true })))
})

const verify = (...words: string[]) =>
  runCommandOn(service, ['backup', 'verify', ...words, '--folder', scratch], settings)
const left = () => readdir(scratch)

test('a drill restores the newest backup, counts its rows and files, and leaves nothing; the service does not notice', async () => {
  const connections = `select count(*)::int as n from pg_stat_activity where application_name like 'cairn-restore%' or application_name like 'cairn-drill%'`
  const [users] = await sqlOn(service)('select count(*)::int as n from users')
  const { code, out, err } = await verify('--latest', '--json')
  expect([code, err]).toEqual([0, ''])
  const done = JSON.parse(out)
  expect(done).toMatchObject({ file, objects: 1, missing: 0, secretFits: true, seconds: expect.any(Number) })
  expect(done.rows).toBeGreaterThan(1)
  expect(await left()).toEqual([])
  expect(await sqlOn(service)('select count(*)::int as n from users')).toEqual([users])
  expect(await sqlOn(service)(connections)).toEqual([{ n: 0 }])
})

test('a drill says in words what it restored, and that another secret made it', async () => {
  const other = await runCommandOn(service, ['backup', 'verify', file, '--folder', scratch], {
    CAIRN_SECRET: 'another secret of the tests, long enough',
  })
  expect(other.out).toMatch(/can be restored: \d+ rows of \d+ tables, 1 file .* in [\d.]+ s\./)
  expect(other.out).toContain('another secret')
})

test('a damaged or truncated backup is found, and nothing is left of the drill', async () => {
  const damaged = join(folder, 'damaged.tar')
  await copyFile(file, damaged)
  const handle = await open(damaged, 'r+')
  await handle.write(Buffer.from([png[40]! ^ 1]), 0, 1, (await readFile(file)).indexOf(png) + 40)
  await handle.close()
  expect(await verify(damaged)).toMatchObject({ code: 1, err: expect.stringContaining('The backup is damaged') })
  await truncate(damaged, 5000)
  expect(await verify(damaged)).toMatchObject({ code: 1, err: expect.stringMatching(/truncated|incomplete|no end/) })
  expect(await left()).toEqual([])
  await rm(damaged)
})

test('a file that is none, and a folder that cannot be written, are named with what to do', async () => {
  const missing = join(folder, 'missing.tar')
  expect(await verify(missing)).toMatchObject({ code: 1, err: `"${missing}" cannot be read (ENOENT)\n` })
  expect(await verify(folder)).toMatchObject({ code: 1, err: `"${folder}" is not a file\n` })
  const { code, err } = await runCommandOn(service, ['backup', 'verify', file, '--folder', missing])
  expect([code, err]).toEqual([1, `The drill cannot write to ${missing} (ENOENT): name another folder with --folder\n`])
})

test('without a file or --latest, or without a backup, it says what to do', async () => {
  expect(await verify()).toMatchObject({ code: 2, err: expect.stringContaining('--latest') })
  const empty = await runCommandOn(service, ['backup', 'verify', '--latest'], { CAIRN_BACKUP_DIR: scratch })
  expect(empty).toMatchObject({ code: 1, err: expect.stringContaining('There is no backup in') })
})

test('doctor says how old the last backup is, and that a place cannot be written', async () => {
  const finding = async (more: Record<string, string>) => {
    const { out } = await runCommandOn(service, ['doctor', '--json'], more)
    return JSON.parse(out).findings.find(({ check }: { check: string }) => check === 'backups')
  }
  expect(await finding({})).toMatchObject({ state: 'ok', says: expect.stringContaining('not scheduled') })
  expect(await finding(settings)).toMatchObject({ state: 'ok', says: expect.stringContaining(file) })
  expect(await finding({ ...settings, CAIRN_BACKUP_DIR: file })).toMatchObject({
    state: 'fail',
    says: expect.stringContaining('cannot be written'),
  })
  await sqlOn(service)(
    `update backup_state set tried_at = now() - interval '3 days', succeeded_at = now() - interval '3 days'`,
  )
  expect(await finding(settings)).toMatchObject({ state: 'warn', says: expect.stringContaining('late') })
})
