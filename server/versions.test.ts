// @module-tag long
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { release } from './platform/process/release.ts'
import { cleanUp, newFolder, ROOT, type ServiceProcess, startProcess } from './test/process.ts'
import { runCommand } from './test/run-command.ts'

/** A data folder that a service made and left in order, and the start message. */
let used: string
let message: string
let folder: string
let service: ServiceProcess | undefined
beforeAll(async () => {
  used = await newFolder()
  const { child, ended, output } = await startProcess(used)
  child.kill('SIGTERM')
  await ended
  message = output()
})
beforeEach(async () => {
  folder = await newFolder()
  execFileSync('cp', ['-a', `${used}/.`, folder])
})
afterEach(() => cleanUp(folder, service))
afterAll(() => cleanUp(used))

const leaveVersion = (version: string, format: number) =>
  writeFile(join(folder, 'version.json'), JSON.stringify({ version, format }))
const versionIn = async () => JSON.parse(await readFile(join(folder, 'version.json'), 'utf8')).version

test('the version of package.json is that of the command, the start message, the OpenAPI document and the data folder', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  expect((await runCommand(['--version'], {})).out.trim()).toBe(version)
  expect(message).toContain(`  version      ${version}\n`)
  expect(await versionIn()).toBe(version)
  service = await startProcess(folder)
  const { info } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { info: object }
  expect(info).toMatchObject({ version: '1.0.0', 'x-service-version': version })
})

test('a data folder in the format of a newer release is refused by service and commands, with the version to install', async () => {
  await leaveVersion('9.9.0', 2)
  const sentence = /was written by Cairn 9\.9\.0 in a format .* install Cairn 9\.9\.0 or newer, or restore the backup/
  await expect(startProcess(folder)).rejects.toThrow(sentence)
  const command = await runCommand(['user', 'list'], { CAIRN_DATA_DIR: folder })
  expect(command).toMatchObject({ code: 1, err: expect.stringMatching(sentence) })
  expect(await versionIn()).toBe('9.9.0')
})

test('a data folder that a newer release used without changing its format is served', async () => {
  await leaveVersion('9.9.0', 1)
  service = await startProcess(folder)
  expect(await versionIn()).toBe(await release())
})

test.each([
  ['17', 'backup with Cairn 0.9.0, and npm run cairn -- restore with this one into a new CAIRN_DATA_DIR'],
  ['19', 'install Cairn 0.9.0 or newer, or restore the backup from before the upgrade into a new CAIRN_DATA_DIR'],
])('a data folder made by PostgreSQL %s is refused with the way to move its data', async (major, way) => {
  await leaveVersion('0.9.0', 1)
  await writeFile(join(folder, 'database', 'postgres', 'PG_VERSION'), `${major}\n`)
  await expect(startProcess(folder)).rejects.toThrow(`was written by PostgreSQL ${major}`)
  await expect(startProcess(folder)).rejects.toThrow(way)
})
