import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cutPower } from '../../scripts/upgrade/service.ts'
import { openArPage } from '../../server/test/ar-page.ts'
import { cleanUp, postgresPid, type ServiceProcess, startProcess } from '../../server/test/process.ts'
import { steadyPort } from '../../server/test/programs/steady-port.ts'
import { type Caller, callerAt } from '../../server/test/service.ts'
import { type DebianSystem, newDebian } from './debian-system.ts'
import { makeFailingPackage, makeLaterPackage } from './later-package.ts'
import { killInMigration } from './later-release.ts'
import { debianPackage } from './prepared.ts'
import { unitCommand } from './service-unit.ts'

let system: DebianSystem
let later: ReturnType<typeof makeLaterPackage>
let service: ServiceProcess | undefined
let admin: Caller
let appId: string
const inSystem = (path: string) => join(system.root, path)
const data = () => inSystem('/var/lib/cairn')
const settings = () => readFileSync(inSystem('/etc/cairn/cairn.env'), 'utf8')

beforeAll(() => {
  system = newDebian()
  system.install(debianPackage())
  later = makeLaterPackage(debianPackage())
})
afterAll(() => cleanUp(data(), service))

async function start(): Promise<ServiceProcess> {
  service = await startProcess('', { command: unitCommand(system.root) })
  admin = callerAt(service.url, admin?.headers)
  return service
}

async function stop(): Promise<void> {
  service!.child.kill('SIGTERM')
  expect(await service!.ended).toBe(0)
  expect(postgresPid(data())).toBeUndefined()
}

const expectData = async () =>
  expect(await admin.get(`/api/v1/apps/${appId}`)).toMatchObject({ status: 200, body: { name: 'Trail' } })

test.runIf(existsSync('/usr/bin/systemd-analyze'))('systemd finds nothing wrong with the unit', () => {
  // The system has no systemd: the units that this one names are those of the machine.
  cpSync('/usr/lib/systemd/system', inSystem('/usr/lib/systemd/system'), { recursive: true, force: false })
  const words = ['verify', '--man=no', `--root=${system.root}`, 'cairn.service']
  const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
  expect({ status, output: `${stdout}${stderr}` }).toEqual({ status: 0, output: '' })
})

test('others read neither the settings nor the data', () => {
  expect(statSync(data()).mode & 0o777).toBe(0o700)
  expect(statSync(inSystem('/etc/cairn/cairn.env')).mode & 0o777).toBe(0o640)
})

const STOPPED = ['is-active --quiet cairn.service', 'stop cairn.service']
const STARTED = ['enable --quiet cairn.service', 'daemon-reload', 'start cairn.service']

test('installing it enables and starts the service, also after it was removed', () => {
  expect(system.systemdCalls()).toEqual(STARTED)
  expect(system.run('apt-get', 'remove', '--assume-yes', 'cairn-server').status).toBe(0)
  const removed = system.systemdCalls()
  expect(removed).toEqual(expect.arrayContaining(['stop cairn.service', 'disable --quiet cairn.service']))
  system.install(debianPackage())
  expect(system.systemdCalls()).toEqual(STARTED)
})

test('an upgrade that fails starts the service again', () => {
  const failing = makeFailingPackage(later.file)
  expect(() => system.install(failing)).toThrow('pre-installation script')
  expect(system.systemdCalls()).toEqual([
    ...STOPPED,
    // That of the failed package, then this one's.
    'daemon-reload',
    'daemon-reload',
    'start cairn.service',
  ])
})

test('the process of the unit becomes ready as the account cairn, and cairn creates a token for root', async () => {
  appendFileSync(inSystem('/etc/cairn/cairn.env'), `CAIRN_PORT=${await steadyPort()}\n`)
  const { child, url } = await start()
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(statSync(`/proc/${child.pid}`).uid).toBe(statSync(data()).uid)
  expect(statSync(data()).uid).toBeGreaterThan(0)
  const { status, output } = system.run('cairn', 'user', 'token', '--name', 'ada', '--role', 'admin')
  expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/^\S{40,}\n$/) })
  admin = callerAt(url, { authorization: `Bearer ${output.trim()}` })
  const created = await admin.post('/api/v1/apps', { name: 'Trail', description: 'A game' })
  expect(created.status).toBe(201)
  appId = created.body.id
})

test('the AR page of a model opens, with the script that draws it', async () => {
  await openArPage(admin).finally(stop)
})

test('cairn serves no other account: it makes no data folder of its own, and says what to do', () => {
  system.run('useradd', '--create-home', 'ada')
  const { status, output } = system.run('runuser', '--login', 'ada', '--command', 'cairn user token --name ada')
  expect({ status, output }).toMatchObject({ status: 1, output: expect.stringContaining('as that account or as root') })
  expect(existsSync(inSystem('/home/ada/data'))).toBe(false)
})

test('an upgrade restarts the service and keeps changed settings; killed in its first start, it starts again with the data', async () => {
  const before = settings()
  system.install(later.file)
  expect(system.systemdCalls()).toEqual([...STOPPED, 'daemon-reload', 'daemon-reload', 'start cairn.service'])
  expect(settings()).toBe(before)
  expect(readFileSync(inSystem('/etc/cairn/cairn.env.dpkg-dist'), 'utf8')).toContain(later.line)
  await killInMigration(data(), unitCommand(system.root))
  // systemd ends what the process leaves behind.
  await cutPower(data())
  await start()
  await expectData()
  expect(await admin.get('/api/v1/box/health')).toMatchObject({ body: { version: later.version } })
  await stop()
})

test('the earlier package refuses the data with a sentence, and the later one goes on with it', async () => {
  system.install(debianPackage())
  const refused = start().catch((error: Error) => error.message)
  expect(await refused).toMatch(
    new RegExp(`This database was migrated by a newer release .*: install Cairn ${later.version} or newer`),
  )
  system.install(later.file)
  await start()
  await expectData()
  await stop()
})

test('removing the package keeps settings and data; purging it keeps the data, and says so', () => {
  const remove = system.run('apt-get', 'remove', '--assume-yes', 'cairn-server')
  expect(remove.status).toBe(0)
  expect(system.systemdCalls()).toEqual(expect.arrayContaining(['stop cairn.service', 'disable --quiet cairn.service']))
  for (const gone of ['/usr/bin/cairn', '/usr/lib/cairn', '/lib/systemd/system/cairn.service'])
    expect(existsSync(inSystem(gone)), gone).toBe(false)
  expect(settings()).toContain('CAIRN_PORT=')
  const { status, output } = system.run('apt-get', 'purge', '--assume-yes', 'cairn-server')
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('rm -r /var/lib/cairn') })
  expect(existsSync(inSystem('/etc/cairn'))).toBe(false)
  expect(existsSync(join(data(), 'database'))).toBe(true)
})
