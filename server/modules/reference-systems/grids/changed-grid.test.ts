import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ntv2Grid } from '../../../test/surveying/grid-files.ts'

const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** Transforms a point, changes the grid, and transforms other points before and after PROJ is reloaded. */
const PROGRAM = `
  import { writeFileSync } from 'node:fs'
  import { loadCrsTable } from ${at('../crs.ts')}
  import { ntv2Grid } from ${at('../../../test/surveying/grid-files.ts')}
  const [folder, extent] = [process.env.CAIRN_GRIDS, JSON.parse(process.argv[1])]
  const place = async (latitude, longitude) => {
    const { latitude: found } = (await loadCrsTable()).find('EPSG:4314').toWgs84(longitude, latitude)
    return Math.round((found - latitude) * 3600)
  }
  const seen = [await place(48, 6)]
  writeFileSync(folder + '/BETA2007.gsb', ntv2Grid({ north: 5, east: 0 }, extent))
  seen.push(await place(54, 14).catch((error) => error.message), await place(54, 14))
  console.log(JSON.stringify(seen))`

test('a grid that changes during use fails by name, and is used in its new form after PROJ is reloaded', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-grids-'))
  // Larger than the read-ahead.
  const extent = { south: -80, north: 80, west: -170, east: 170 }
  writeFileSync(join(folder, 'BETA2007.gsb'), ntv2Grid({ north: 1, east: 0 }, extent))
  try {
    const words = ['--input-type=module', '-e', PROGRAM, JSON.stringify(extent)]
    const env = { PATH: process.env.PATH, CAIRN_GRIDS: folder }
    expect(JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8', env }))).toEqual([
      1,
      'The grid file BETA2007.gsb was changed while it was in use: import again',
      5,
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
