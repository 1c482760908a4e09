import { loadCrsTable } from '../../modules/reference-systems/crs.ts'

/**
 * `node server/test/surveying/locate.ts EPSG:4314 x,y x,y …`: writes where the service puts points of a system, as a JSON array. PROJ
 * reads `CAIRN_GRIDS` once in a process: with this a test has a process of its own.
 */
const [name, ...points] = process.argv.slice(2)
const crs = (await loadCrsTable()).find(name!)
if (typeof crs === 'string') throw new Error(crs)
const located = points.map((point) => crs.toWgs84(...(point.split(',').map(Number) as [number, number])))
process.stdout.write(JSON.stringify(located))
