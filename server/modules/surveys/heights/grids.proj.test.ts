import { afterAll, beforeAll, expect, test } from 'vitest'
import { cs2cs, PROJ_DATA } from '../../../test/programs/cs2cs.ts'
import { openImports } from '../../../test/surveying/imports.ts'
import { distance } from '../../places/geodesy.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports({ CAIRN_GRIDS: PROJ_DATA })
})
afterAll(() => opened.close())

type System = {
  crs: string
  header: string
  /** Coordinates in the axis order of the register. */
  points: [number, number][]
  operation: string
}

const systems: System[] = [
  {
    crs: 'EPSG:31467',
    header: 'title,northing,easting',
    points: [
      [5500000, 3500000],
      [5934567.89, 3565432.1],
      [5278901.23, 3423456.78],
    ],
    operation: 'Inverse of 3-degree Gauss-Kruger zone 3 + DHDN to WGS 84 (4)',
  },
  {
    crs: 'EPSG:4275',
    header: 'title,lat,lon',
    points: [
      [48.85, 2.35],
      [43.3, 5.4],
      [48.39, -4.49],
    ],
    operation: 'Inverse of WGS 84 to NTF (3)',
  },
  {
    crs: 'EPSG:4272',
    header: 'title,lat,lon',
    points: [
      [-41.29, 174.78],
      [-36.85, 174.76],
      [-45.03, 168.66],
    ],
    operation: 'NZGD49 to WGS 84 (3)',
  },
]

test.each(systems)(
  'points in $crs are imported with its grid to 1 mm of cs2cs, with operation and accuracy',
  async (system) => {
    const { crs, header, points, operation } = system
    const rows = points.map((point, i) => `P${i},${point.join(',')}`)
    const { gcps, report } = await opened.imports.imported(`${header}\n${rows.join('\n')}\n`, { query: `?crs=${crs}` })
    const expected = cs2cs(crs, 'EPSG:4326', points).points
    for (const [i, { pin, transformation }] of gcps.entries()) {
      const [latitude, longitude] = expected[i]!
      expect(distance(pin, { latitude: latitude!, longitude: longitude! })).toBeLessThan(0.001)
      expect(transformation).toEqual({ crs, operation, accuracy: 1 })
    }
    expect(gcps).toHaveLength(points.length)
    expect(report.detected.transformations).toEqual([{ crs, operation, accuracy: 1, points: points.length }])
  },
)
