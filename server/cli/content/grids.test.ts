import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCommand, runCommandOn } from '../../test/run-command.ts'
import { ntv2Grid } from '../../test/surveying/grid-files.ts'
import { openImports } from '../../test/surveying/imports.ts'

const GRID = ntv2Grid({ north: 1, east: 2 })
let data: string
let grids: string
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'cairn-data-'))
  grids = join(data, 'grids')
})
afterAll(() => rm(data, { recursive: true }))
beforeEach(() => rm(grids, { recursive: true, force: true }))

const listed = async (settings: Record<string, string> = {}) => {
  const { code, out } = await runCommand(['grids', '--json'], { CAIRN_DATA_DIR: data, ...settings })
  return { code, ...JSON.parse(out) }
}

test('cairn grids lists the files of the data folder with their transformations, and the missing well-known ones', {
  tags: ['long'],
}, async () => {
  await mkdir(grids)
  await writeFile(join(grids, 'BETA2007.gsb'), GRID)
  await writeFile(join(grids, 'mine.gsb'), GRID)
  await writeFile(join(grids, 'readme.txt'), 'no grid')
  const { code, folder, grids: files, missing } = await listed()
  expect({ code, folder }).toEqual({ code: 0, folder: grids })
  expect(files).toMatchObject([
    { file: 'BETA2007.gsb', bytes: GRID.length, unusable: null, projName: 'de_adv_BETA2007.tif' },
    { file: 'mine.gsb', unusable: null, projName: null, uses: [] },
  ])
  expect(files[0].uses).toContainEqual({ name: 'DHDN to WGS 84 (4)', from: 'DHDN', to: 'WGS 84', accuracy: 1 })
  const absent = missing.map(({ file }: { file: string }) => file)
  expect(absent).toContain('uk_os_OSTN15_NTv2_OSGBtoETRS.tif')
  expect(absent).not.toContain('de_adv_BETA2007.tif')
  const { out } = await runCommand(['grids'], { CAIRN_DATA_DIR: data })
  expect(out).toContain('BETA2007.gsb (3 kB): DHDN – ETRS89 0.9 m')
  expect(out).toContain('uk_os_OSTN15_NTv2_OSGBtoETRS.tif (Ordnance Survey; Great Britain): OSGB36 – ETRS89 0.03 m')
})

test('cairn grids names a file that cannot be used, lists it as missing, and exits with 1', {
  tags: ['long'],
}, async () => {
  await mkdir(grids)
  await writeFile(join(grids, 'BETA2007.gsb'), GRID.subarray(0, 700))
  const { code, grids: files, missing } = await listed()
  expect(code).toBe(1)
  expect(files).toMatchObject([{ file: 'BETA2007.gsb', unusable: 'it ends early' }])
  expect(missing).toContainEqual(expect.objectContaining({ file: 'de_adv_BETA2007.tif', publisher: 'AdV' }))
})

test('cairn grids reports a missing folder', { tags: ['long'] }, async () => {
  expect(await listed()).toMatchObject({ code: 0, folder: grids, fault: 'there is no such folder', grids: [] })
  const elsewhere = join(data, 'elsewhere')
  expect(await listed({ CAIRN_GRIDS: elsewhere })).toMatchObject({
    folder: elsewhere,
    fault: 'there is no such folder',
  })
})

test('doctor names the grids that imported points need, those that cannot be used, and a missing folder', {
  tags: ['long'],
}, async () => {
  const { service, imports, close } = await openImports({ CAIRN_GRIDS: grids })
  try {
    await imports.imported('title,lat,lon\nA,50,8\nB,51,9\n', { query: '?crs=EPSG:4314' })
    const found = async (folder = grids) => {
      const { out } = await runCommandOn(service, ['doctor', '--json'], { CAIRN_PORT: '0', CAIRN_GRIDS: folder })
      return JSON.parse(out).findings.filter(({ check }: { check: string }) => check === 'grids')
    }
    expect(await found()).toMatchObject([
      { state: 'fail', says: `${grids}: there is no such folder` },
      {
        state: 'warn',
        says: '2 imported points: EPSG:4314 needs de_adv_BETA2007.tif for 1 m; without it, positions are accurate to 3 m',
      },
    ])
    await mkdir(grids)
    await writeFile(join(grids, 'BETA2007.gsb'), GRID.subarray(0, 700))
    expect(await found()).toMatchObject([
      { state: 'warn', says: 'BETA2007.gsb cannot be used: it ends early' },
      { state: 'ok', says: `1 file in ${grids}; cairn grids lists them` },
      { state: 'warn', says: expect.stringContaining('needs de_adv_BETA2007.tif') },
    ])
  } finally {
    await close()
  }
})
