// @module-tag long
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { geoTiffGrid, gtxGrid, ntv2Grid } from '../../../test/surveying/grid-files.ts'
import { openImports } from '../../../test/surveying/imports.ts'

const shift = { north: 1, east: 2 }
/** A point on DHDN, and its position by the grids of this test. */
const FILE = 'title,lat,lon\nA,50,8\n'
const SHIFTED = [50 + 1 / 3600, 8 + 2 / 3600]

let grids: string
let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  grids = join(await mkdtemp(join(tmpdir(), 'cairn-grids-')), 'grids')
  opened = await openImports({ CAIRN_GRIDS: grids })
})
afterAll(async () => {
  await opened.close()
  await rm(join(grids, '..'), { recursive: true })
})
beforeEach(() => mkdir(grids))
afterEach(() => rm(grids, { recursive: true }))

/** Writes and renames: a file changed in place would change under its reader. */
async function put(name: string, bytes: Uint8Array) {
  await writeFile(join(grids, '..', 'written'), bytes)
  await rename(join(grids, '..', 'written'), join(grids, name))
}

async function imported(content = FILE, query = '?crs=EPSG:4314') {
  const { record, report, gcps } = await opened.imports.imported(content, { query })
  const [gcp] = gcps.gcps ?? gcps
  const said: string[] = report.rows.flatMap(({ errors }: { errors: { message: string }[] }) =>
    errors.map(({ message }) => message),
  )
  return {
    record,
    place: gcp && [gcp.pin.latitude, gcp.pin.longitude],
    transformation: gcp?.transformation,
    used: report.detected?.transformations,
    said: said.join('\n'),
  }
}

const near = (place: readonly number[]) => place.map((degrees) => expect.closeTo(degrees, 8))

test.each([
  ['BETA2007.gsb', ntv2Grid(shift)],
  ['beta2007.GSB', ntv2Grid(shift)],
  ['de_adv_BETA2007.tif', geoTiffGrid(shift)],
])('uses a grid file in the folder, and states operation and accuracy in point and report: %s', async (name, bytes) => {
  await put(name, bytes)
  const { place, transformation, used } = await imported()
  expect(place).toEqual(near(SHIFTED))
  expect(transformation).toEqual({ crs: 'EPSG:4314', operation: 'DHDN to WGS 84 (4)', accuracy: 1 })
  expect(used).toEqual([{ crs: 'EPSG:4314', operation: 'DHDN to WGS 84 (4)', accuracy: 1, points: 1 }])
})

test('imports by a coarser operation without the grid, and names the missing file in the report', async () => {
  const { place, transformation, said } = await imported()
  expect(place).not.toEqual(near(SHIFTED))
  expect(transformation).toMatchObject({ operation: 'DHDN to WGS 84 (2)', accuracy: 3 })
  expect(said).toContain('EPSG:4314 needs de_adv_BETA2007.tif for 1 m; without it, positions are accurate to 3 m')
})

test('refuses a system for its accuracy and names the grid that would suffice', async () => {
  const zone = await opened.imports.zone()
  const sent = await opened.imports.stored(FILE)
  const { status, body } = await opened.imports.send(zone, sent, '?crs=EPSG:4314&maxError=1')
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain('maxError is 1; it needs de_adv_BETA2007.tif for 1 m')
})

test('uses a grid added at run time in the next import, and not after its removal', async () => {
  expect((await imported()).transformation.accuracy).toBe(3)
  await put('BETA2007.gsb', ntv2Grid(shift))
  expect((await imported()).place).toEqual(near(SHIFTED))
  await put('BETA2007.gsb', ntv2Grid({ north: 3, east: 2 }))
  expect((await imported()).place).toEqual(near([50 + 3 / 3600, SHIFTED[1]!]))
  await rm(join(grids, 'BETA2007.gsb'))
  expect((await imported()).transformation.accuracy).toBe(3)
})

test('skips a damaged grid and names it in the report of an import that needs it', async () => {
  await put('BETA2007.gsb', ntv2Grid(shift).subarray(0, 700))
  const { transformation, said } = await imported()
  expect(transformation.accuracy).toBe(3)
  expect(said).toContain('the file BETA2007.gsb in the folder of grids cannot be used: it ends early')
})

test('ignores a damaged grid, a folder and a dangling link in imports that need none', async () => {
  await put('BETA2007.gsb', new Uint8Array(50))
  await put('de_adv_BETA2007.tif', new Uint8Array(50))
  await mkdir(join(grids, 'ntf_r93.gsb'))
  await symlink(join(grids, 'nowhere'), join(grids, 'egm96_15.gtx'))
  const { record, place, said } = await imported(FILE, '?crs=EPSG:4326')
  expect(record.status).toBe('COMPLETED')
  expect(place).toEqual([50, 8])
  expect(said).not.toContain('grid')
})

test('imports a point outside a grid by a coarser operation, and says so in the report', async () => {
  await put('BETA2007.gsb', ntv2Grid(shift, { south: 52, north: 55, west: 5, east: 16 }))
  const { transformation, said } = await imported()
  expect(transformation.accuracy).toBe(3)
  expect(said).toContain('de_adv_BETA2007.tif has no value for this place')
})

test('converts heights above the sea with the geoid in the folder instead of the bundled one', async () => {
  await put('au_ga_AUSGeoid2020_20180201.tif', new Uint8Array(50))
  const content = 'title,lat,lon,altitude\nA,-30,140,100\n'
  const query = '?crs=EPSG:4326&heightDatum=EPSG:5711'
  const without = await imported(content, query)
  expect(without.said).toContain(
    'the file au_ga_AUSGeoid2020_20180201.tif in the folder of grids cannot be used: it is not a TIFF file',
  )
  await rm(join(grids, 'au_ga_AUSGeoid2020_20180201.tif'))
  await put('AUSGeoid2020_20180201.gtx', gtxGrid(12.5, { south: -60, north: -8, west: 93, east: 174 }))
  const { gcps } = await opened.imports.imported(content, { query })
  expect(gcps[0].pin.geoPose.position.h).toBeCloseTo(112.5, 4)
  expect(gcps[0].heightTransformation).toMatchObject({ accuracy: 0.15 })
})

test('ends an import whose grid changes while it is read, by name, and imports all rows when run again', async () => {
  // Larger than the read-ahead of PROJ.
  const extent = { south: -80, north: 80, west: -170, east: 170 }
  await put('BETA2007.gsb', ntv2Grid(shift, extent))
  const row = (i: number) => (i < 20_000 ? `A${i},48,6` : `A${i},54,14`)
  const key = await opened.imports.stored(
    `title,lat,lon\n${Array.from({ length: 40_000 }, (_, i) => row(i)).join('\n')}\n`,
  )
  const zone = await opened.imports.zone()
  const { body: sent } = await opened.imports.send(zone, key, '?crs=EPSG:4314')
  while ((await opened.user.get(`/api/gcp/upload/${sent.id}`)).body.processedRows === 0) await setTimeout(5)
  await writeFile(join(grids, 'BETA2007.gsb'), ntv2Grid({ north: 5, east: 2 }, extent))
  const record = await opened.imports.ended(sent.id)
  expect(record.status).toBe('FAILED')
  expect((await opened.imports.report(sent.id)).rows).toMatchObject([
    {
      row: null,
      errors: [
        { code: 'GRID_FAULT', message: 'The grid file BETA2007.gsb was changed while it was in use: import again' },
      ],
    },
  ])
  await opened.user.post(`/api/gcp/upload/${sent.id}/retry`, {})
  expect(await opened.imports.ended(sent.id)).toMatchObject({ status: 'COMPLETED', rowCount: 40_000 })
  const shifts = (await opened.imports.gcps(zone)).map(({ pin }: { pin: { latitude: number } }) =>
    Math.round((pin.latitude % 6) * 3600),
  )
  expect(new Set(shifts)).toEqual(new Set([5]))
})
