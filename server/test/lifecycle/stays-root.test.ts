// @module-tag long
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bareEnvironment, cleanUp, newFolder, ROOT, type ServiceProcess, startProcess } from '../process.ts'
import { geopackageOf, pointsOf } from '../programs/gdal-files.ts'
import {
  convertModels,
  importSurvey,
  processesOf,
  processStatusOf,
  sendProfileImage,
  sendRelocalizationPhoto,
  sendScans,
} from '../sandbox-processes.ts'
import { type Caller, callerAt } from '../service.ts'
import { ntv2Grid } from '../surveying/grid-files.ts'

const idOf = (flag: string) => String(execFileSync('id', [flag, 'cairn'])).trim()

/** The project in a folder that only root may enter: links to the same files, except the compile cache of Node. */
async function closedCopy(): Promise<string> {
  mkdirSync(join(ROOT, 'tmp'), { recursive: true })
  const closed = await mkdtemp(join(ROOT, 'tmp', 'closed-'))
  const link = (folder: string, names: readonly string[]) => {
    mkdirSync(join(closed, folder), { recursive: true })
    execFileSync('cp', ['-al', ...names.map((name) => join(ROOT, folder, name)), join(closed, folder)])
  }
  link('.', ['server', 'usdz', 'package.json', 'openapi.json'])
  link(
    'node_modules',
    readdirSync(join(ROOT, 'node_modules')).filter((name) => name !== '.cache'),
  )
  return closed
}

// Skipped unless root runs the tests.
describe.runIf(process.getuid?.() === 0)('a service of root in a folder that only root can read', () => {
  let closed: string
  let folder: string
  let service: ServiceProcess
  let user: Caller

  beforeAll(async () => {
    closed = await closedCopy()
    folder = await newFolder()
    mkdirSync(join(folder, 'grids'), { mode: 0o700 })
    writeFileSync(join(folder, 'grids', 'BETA2007.gsb'), ntv2Grid({ north: 1, east: 2 }), { mode: 0o600 })
    service = await startProcess(folder, { command: [process.execPath, join(closed, 'server', 'main.ts')] })
    const token = execFileSync(process.execPath, ['server/cli.ts', 'user', 'token', '--name', 'ada'], {
      cwd: ROOT,
      env: { ...bareEnvironment(), CAIRN_DATA_DIR: folder },
      encoding: 'utf8',
    })
    user = callerAt(service.url, { authorization: `Bearer ${token.trim()}` })
  })
  afterAll(async () => {
    await cleanUp(folder, service)
    rmSync(closed, { recursive: true })
  })

  /** That what ran the script is the account of the database in all its threads, and in its group alone. */
  function expectNoRoot(script: string) {
    const found = processesOf(service.child.pid!, script)
    expect(found.length).toBeGreaterThan(0)
    const account = { uids: [Number(idOf('-u'))], groups: [idOf('-g')] }
    for (const { uids, groups } of found) expect({ uids, groups }).toEqual(account)
  }

  test('stays root, and says so', () => {
    expect(processStatusOf(service.child.pid!).uids).toEqual([0])
    expect(service.output()).toContain('Started as root, Cairn stays root')
  })

  test('lets nobody into its data folder, but its database pass through', () => {
    expect(statSync(folder)).toMatchObject({ uid: 0, gid: Number(idOf('-g')), mode: 0o40710 })
  })

  test('has images decoded by a process that is not root, and by no other', async () => {
    await sendProfileImage(user, (headers) => callerAt(service.url, headers))
    await sendRelocalizationPhoto(user)
    expectNoRoot('image-process.ts')
    expect(processStatusOf(service.child.pid!).loaded).not.toMatch(/libvips|sharp/)
  })

  test('has models converted by a process that is not root', async () => {
    await convertModels(user)
    expectNoRoot('converter-process.ts')
  })

  test('has scans read by a process that is not root', async () => {
    await sendScans(user)
    expectNoRoot('scan-process.ts')
  })

  test('has surveys read by a process that is not root, with grid files that root alone may read', async () => {
    const { place } = await importSurvey(user, 'marks.csv', 'title,lat,lon\nA,50,8\n', '?crs=EPSG:4314')
    expect(place).toEqual([expect.closeTo(50 + 1 / 3600, 8), expect.closeTo(8 + 2 / 3600, 8)])
    const heights = await importSurvey(user, 'h.csv', 'title,lat,lon,h\nA,52,13,40\n', '?heightDatum=EPSG:7837')
    expect(heights.place).toEqual([52, 13])
    expectNoRoot('survey-process.ts')
  })

  test('has GeoPackages read and written by processes that are not root', async () => {
    const file = await geopackageOf({ marks: { features: pointsOf([{ at: [5.2, 52.1] }]), crs: 'EPSG:4326' } })
    const { zoneId } = await importSurvey(user, 'marks.gpkg', file, '')
    expectNoRoot('survey-process.ts')
    const answer = await user.get(`/api/gcp/zone/${zoneId}/export?format=gpkg&crs=EPSG:28992`)
    expect(answer).toMatchObject({ status: 200, body: expect.stringMatching(/^SQLite format 3/) })
    expectNoRoot('export-process.ts')
  })
})
