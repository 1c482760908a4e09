import type { Layer } from '../../../../gdal/gdal.ts'
import type { PlaceSystem } from '../features/feature-table.ts'

/** Names that GeoPackage and GDAL use for an undefined system. */
const UNDEFINED = /^(?:ENGCRS|GEOGCRS|LOCAL_CS|GEODCRS)\["(?:undefined|unknown|unnamed)/i

/**
 * The system of a layer as text for `CrsTable.find`, and its axis words. GDAL returns x to the east and y to the north
 * whatever the order in the register, except for axes to the west and the south. Heights are ellipsoidal in a
 * three-dimensional system, above the sea in a compound one, of unknown datum otherwise.
 */
export function systemOfLayer({ crs, code }: Layer): PlaceSystem {
  const wkt = crs?.replace(/\s*\n\s*/g, '')
  // Coordinates without a system may be metres or degrees: the layout detects it, or fails.
  if (wkt === undefined || UNDEFINED.test(wkt))
    return {
      systems: { crs: undefined, crsLine: undefined, titles: [] },
      words: { x: 'easting', y: 'northing', z: 'z' },
    }
  const isGeodetic = /^(?:COMPOUNDCRS\["[^"]{0,200}",|BOUNDCRS\[SOURCECRS\[)?GEO(?:G|D|DETIC|GRAPHIC)CRS\[/.test(wkt)
  const isGeocentric = isGeodetic && wkt.includes('CS[Cartesian,3]')
  const is3d = /CS\[(?:ellipsoidal|Cartesian),3\]/.test(wkt)
  const [x, y] = isGeocentric ? ['x', 'y'] : isGeodetic ? ['lon', 'lat'] : planeAxes(wkt)
  const z = isGeocentric ? 'z' : is3d ? 'h' : wkt.includes('VERTCRS[') ? 'altitude' : 'z'
  return { systems: { crs: code ?? wkt, crsLine: wkt, titles: [] }, words: { x: x!, y: y!, z } }
}

/** The words for x and y of a projected system; for axes to the west and south, in their order. */
function planeAxes(wkt: string): [string, string] {
  const directions = [...wkt.matchAll(/AXIS\["[^"]{0,80}",(west|south|east|north)\b/g)].slice(0, 2).map(([, to]) => to)
  const order = directions.join(' ')
  return order === 'west south'
    ? ['westing', 'southing']
    : order === 'south west'
      ? ['southing', 'westing']
      : ['easting', 'northing']
}
