import type { Layer } from '../../../../gdal/gdal.ts'
import type { PlaceSystem } from '../features/feature-table.ts'

/** How GeoPackage and GDAL call the system of a layer that has none. */
const UNDEFINED = /^(?:ENGCRS|GEOGCRS|LOCAL_CS|GEODCRS)\["(?:undefined|unknown|unnamed)/i

/**
 * The system of a layer in a form that `CrsTable.find` takes, and the words for its axes. GDAL gives coordinates with x
 * to the east and y to the north, whatever the order in the register, but those of axes that run to the west and the
 * south as they are. Heights are above the ellipsoid in a system of
 * three dimensions, above the sea in a compound one, of unknown datum elsewhere.
 */
export function systemOfLayer({ crs, code }: Layer): PlaceSystem {
  const wkt = crs?.replace(/\s*\n\s*/g, '')
  // Figures without a system may be metres or degrees: the layout finds out, or asks.
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

/** The words for x and y of a projected system: of one whose axes run west and south, in their order. */
function planeAxes(wkt: string): [string, string] {
  const directions = [...wkt.matchAll(/AXIS\["[^"]{0,80}",(west|south|east|north)\b/g)].slice(0, 2).map(([, to]) => to)
  const order = directions.join(' ')
  return order === 'west south'
    ? ['westing', 'southing']
    : order === 'south west'
      ? ['southing', 'westing']
      : ['easting', 'northing']
}
