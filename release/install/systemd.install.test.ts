import { copyFileSync, cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ROOT } from '../package/folders.ts'
import { type BootedSystem, boot } from './booted-system.ts'
import { copyDebian } from './debian-system.ts'
import { makeFailingPackage } from './later-package.ts'
import { debianPackage } from './prepared.ts'

const NODE = '/usr/lib/cairn/node/bin/node'
const TOUR = '/opt/cairn/scripts/tour'

/** For what hangs. */
const WAITING = { timeout: 180_000, interval: 500 }

let system: BootedSystem
beforeAll(async () => {
  const root = copyDebian()
  copyFileSync(debianPackage(), join(root, 'root/cairn.deb'))
  copyFileSync(makeFailingPackage(debianPackage()), join(root, 'root/failing.deb'))
  cpSync(join(ROOT, 'scripts/tour'), join(root, TOUR), { recursive: true })
  system = await boot(root)
})
afterAll(() => system?.stop())

const install = (file: string) =>
  system.run('apt-get', 'install', '--reinstall', '--assume-yes', '-oDpkg::Options::=--force-unsafe-io', file)
const show = (property: string) =>
  system.run('systemctl', 'show', 'cairn', `--property=${property}`, '--value').output.trim()

test('the service is active and enabled as soon as its package is installed', () => {
  expect(install('/root/cairn.deb')).toMatchObject({ status: 0 })
  expect([show('ActiveState'), show('UnitFileState'), show('User')]).toEqual(['active', 'enabled', 'cairn'])
})

test('it works within the restrictions of its unit, and logs no error', () => {
  const { status, output } = system.run('cairn', 'user', 'token', '--name', 'ada')
  expect({ status, output }).toMatchObject({ status: 0 })
  const tour = system.run('env', `CAIRN_TOUR_TOKEN=${output.trim()}`, NODE, `${TOUR}/tour.ts`)
  expect(tour).toMatchObject({ status: 0 })
  expect(system.run('journalctl', '--unit=cairn', '--output=cat').output).not.toMatch(/"level":"(warn|error|fatal)"/)
})

test('systemd starts it again when it is killed', async () => {
  const before = show('MainPID')
  expect(system.run('systemctl', 'kill', '--signal=KILL', '--kill-whom=main', 'cairn')).toMatchObject({ status: 0 })
  await vi.waitFor(() => expect([show('ActiveState'), show('MainPID') === before]).toEqual(['active', false]), WAITING)
})

test('backups go to another folder after the commands of docs/deploy.md; before, their failure says what to allow', async () => {
  const page = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8')
  const [, commands] = /^```sh\n(sudo install [\s\S]*?)^```/m.exec(page)!
  const lines = commands!.replaceAll('sudo ', '').replace('=1d', '=1m').trim().split('\n')
  const drill = lines.pop()!
  const run = (script: string[]) => expect(system.run('sh', '-ec', script.join('\n'))).toMatchObject({ status: 0 })
  const log = () => system.run('journalctl', '--unit=cairn', '--output=cat').output

  run(lines.filter((line) => !line.includes('ReadWritePaths')))
  await vi.waitFor(() => expect(log()).toContain('(EROFS): it is read-only for the service'), WAITING)
  run(lines)
  await vi.waitFor(() => expect(log()).toContain('made a backup and verified it'), WAITING)
  run([drill])
})

test('it is active after an upgrade that failed, and after it was removed and installed again', () => {
  expect(install('/root/failing.deb')).toMatchObject({ status: 100 })
  expect(show('ActiveState')).toBe('active')
  expect(system.run('apt-get', 'remove', '--assume-yes', 'cairn-server')).toMatchObject({ status: 0 })
  expect(show('ActiveState')).toBe('inactive')
  expect(install('/root/cairn.deb')).toMatchObject({ status: 0 })
  expect([show('ActiveState'), show('UnitFileState')]).toEqual(['active', 'enabled'])
})

test('an upgrade leaves a service off that was turned off', () => {
  system.run('systemctl', 'disable', '--now', 'cairn')
  expect(system.run('apt-get', 'install', '--reinstall', '--assume-yes', '/root/cairn.deb')).toMatchObject({
    status: 0,
  })
  expect([show('ActiveState'), show('UnitFileState')]).toEqual(['inactive', 'disabled'])
})

test('a command names the account that may not write a file of root', () => {
  expect(system.run('cairn', 'backup', '/root/all.tar')).toEqual({
    status: 1,
    output: '"/root/all.tar" cannot be written: the account "cairn" may not write to /root\n',
  })
})
