import type { Layer } from '../../../../gdal/gdal.ts'
import type { PlaceSystem } from '../features/placed-table.ts'

/** How GeoPackage and GDAL call the system of a layer that has none. */
const UNDEFINED = /^(?:ENGCRS|GEOGCRS|LOCAL_CS|GEODCRS)\["(?:undefined|unknown|unnamed)/i

/**
 * The system of a layer in a form that `CrsTable.find` takes, and the words for its axes. GDAL gives coordinates with x
 * to the east and y to the north, whatever the order in the register. Heights are above the ellipsoid in a system of
 * three dimensions, above the sea in a compound one, of unknown datum elsewhere.
 */
export function systemOfLayer({ crs, code }: Layer): PlaceSystem {
  const wkt = crs?.replace(/\s*\n\s*/g, '')
  const isDegrees =
    wkt !== undefined &&
    /^(?:COMPOUNDCRS\["[^"]{0,200}",|BOUNDCRS\[SOURCECRS\[)?GEO(?:G|D|DETIC|GRAPHIC)CRS\[/.test(wkt)
  const isGeocentric = wkt !== undefined && isDegrees && /CS\[Cartesian,3\]/.test(wkt)
  const [x, y] = isGeocentric ? ['x', 'y'] : isDegrees ? ['lon', 'lat'] : ['easting', 'northing']
  const is3d = wkt !== undefined && /CS\[(?:ellipsoidal|Cartesian),3\]/.test(wkt)
  const z = isGeocentric ? 'z' : is3d ? 'h' : wkt?.includes('VERTCRS[') ? 'altitude' : 'z'
  const named = wkt === undefined || UNDEFINED.test(wkt) ? undefined : (code ?? wkt)
  return { systems: { crs: named, crsLine: named && wkt, titles: [] }, words: { x: x!, y: y!, z } }
}
