import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanUp, newFolder, type ServiceProcess, startProcess } from '../../server/test/process.ts'
import { type Caller, callerAt } from '../../server/test/service.ts'
import { killInMigration, makeLaterRelease } from './later-release.ts'
import { debianPackage, folderOf, run } from './prepared.ts'

/** An unpacked release with a data folder of its own, which also has its port. */
type Installation = { command: string; data: string; service: ServiceProcess; admin: Caller; appId: string }

let laterVersion: string
let earlier: Installation
let later: Installation

beforeAll(async () => {
  const folder = folderOf('archives')
  // The package has the folder of the archive.
  run('dpkg-deb', ['--extract', debianPackage(), folder])
  const release = join(folder, 'usr/lib/cairn')
  run('cp', ['-al', release, `${release}-later`])
  laterVersion = makeLaterRelease(`${release}-later`)
  ;[earlier, later] = await Promise.all([release, `${release}-later`].map((one) => install(join(one, 'cairn'))))
})
afterAll(() => Promise.all([earlier, later].map((one) => one && cleanUp(one.data, one.service))))

async function install(command: string): Promise<Installation> {
  const data = join(await newFolder(), 'data')
  const service = await startProcess(data, { command: [command] })
  const settings = { CAIRN_DATA_DIR: data, CAIRN_PORT: new URL(service.url).port }
  const token = run(command, ['user', 'token', '--name', 'ada', '--role', 'admin'], settings).trim()
  const admin = callerAt(service.url, { authorization: `Bearer ${token}` })
  const { body } = await admin.post('/api/v1/apps', { name: command, description: 'A game' })
  return { command, data, service, admin, appId: body.id }
}

const versionOf = async ({ admin }: Installation) => (await admin.get('/api/v1/box/health')).body.version
const expectApp = async ({ admin, appId, command }: Installation) =>
  expect(await admin.get(`/api/v1/apps/${appId}`)).toMatchObject({ status: 200, body: { name: command } })

test('two releases run side by side, each with its own data', async () => {
  expect(await versionOf(later)).toBe(laterVersion)
  expect(await versionOf(earlier)).not.toBe(laterVersion)
  for (const one of [earlier, later]) {
    await expectApp(one)
    const { status } = await one.admin.get(`/api/v1/apps/${one === later ? earlier.appId : later.appId}`)
    expect(status).toBe(404)
  }
})

test('killed in the middle of an upgrade, the later release goes on with the data, and the earlier one refuses it', async () => {
  const { data, command, service } = earlier
  service.child.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  await killInMigration(data, [later.command], { CAIRN_DATA_DIR: data, CAIRN_PORT: '0' })
  // Its PostgreSQL still runs the migration: the next start waits for it.
  earlier.service = await startProcess(data, { command: [later.command] })
  earlier.admin = callerAt(earlier.service.url, earlier.admin.headers)
  await expectApp(earlier)
  expect(await versionOf(earlier)).toBe(laterVersion)
  earlier.service.child.kill('SIGTERM')
  expect(await earlier.service.ended).toBe(0)
  const refused = startProcess(data, { command: [command] }).catch((error: Error) => error.message)
  expect(await refused).toContain('This database was migrated by a newer release')
  await expectApp(later)
})
