import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PROJ_DATA } from '../../test/programs/cs2cs.ts'
import { BETA2007_POINTS, type DatumPoint, NTF_POINTS } from '../../test/surveying/check-points.ts'
import { distance } from '../places/geodesy.ts'
import type { Located } from './crs.ts'

const SCRIPT = fileURLToPath(new URL('../../test/surveying/locate.ts', import.meta.url))

/** The positions of the points in a process with the grids of a folder, or none. */
function locate(code: number, points: DatumPoint[], grids: Record<string, string>): Located[] {
  const { CAIRN_GRIDS: _, ...inherited } = process.env
  const args = [SCRIPT, `EPSG:${code}`, ...points.map(({ easting, northing }) => `${easting},${northing}`)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...inherited, ...grids } }))
}

const farthest = (points: DatumPoint[], located: Located[]) =>
  Math.max(...points.map((point, i) => distance(point, located[i]!)))

test.each([
  ['de_adv_BETA2007.tif', 4314, BETA2007_POINTS, 0.001],
  ['fr_ign_ntf_r93.tif', 4275, NTF_POINTS, 0.001],
])('%s: the published points of EPSG:%i match to 1 mm', (grid, code, points, metres) => {
  const located = locate(code, points, { CAIRN_GRIDS: PROJ_DATA })
  expect(farthest(points, located)).toBeLessThan(metres)
  expect(located.map(({ operation }) => operation.grids)).toEqual(points.map(() => [grid]))
})

test.each([
  [4314, BETA2007_POINTS],
  [4275, NTF_POINTS],
])('EPSG:%i without its grid matches within the stated accuracy', (code, points) => {
  const located = locate(code, points, {})
  for (const [i, { operation }] of located.entries()) {
    expect(operation.grids).toEqual([])
    expect(distance(points[i]!, located[i]!)).toBeLessThan(operation.accuracy!)
  }
})
