import { loadCrsTable } from '../../modules/reference-systems/crs.ts'

/**
 * `node server/test/surveying/locate.ts EPSG:4314 x,y x,y …`: writes the service's positions of points in a system, as a JSON array.
 * PROJ reads `CAIRN_GRIDS` once in a process: this gives a test its own process.
 */
const [name, ...points] = process.argv.slice(2)
const crs = (await loadCrsTable()).find(name!)
if (typeof crs === 'string') throw new Error(crs)
const located = points.map((point) => crs.toWgs84(...(point.split(',').map(Number) as [number, number])))
process.stdout.write(JSON.stringify(located))
