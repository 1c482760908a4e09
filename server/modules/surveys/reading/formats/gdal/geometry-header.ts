import type { Layer } from '../../../../gdal/gdal.ts'
import type { Role } from '../../layout/columns.ts'
import { columnsOf } from '../../layout/columns.ts'
import type { NamedSystems } from '../../table.ts'

/** What a layer's reference system says of its figures. */
export type LayerSystem = {
  systems: NamedSystems
  /** What x, y and z of a geometry are, as words of a header. */
  words: { x: string; y: string; z: 'h' | 'altitude' | 'z' }
}

/** How GeoPackage and GDAL call the system of a layer that has none. */
const UNDEFINED = /^(?:ENGCRS|GEOGCRS|LOCAL_CS|GEODCRS)\["(?:undefined|unknown|unnamed)/i

/**
 * The system of a layer in a form that `CrsTable.find` takes, and the words for its axes. GDAL gives coordinates with x
 * to the east and y to the north, whatever the order in the register. Heights are above the ellipsoid in a system of
 * three dimensions, above the sea in a compound one, of unknown datum elsewhere.
 */
export function systemOfLayer({ crs, code }: Layer): LayerSystem {
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

/** Where the geometry says where a point is, fields of the same meaning do not count. */
const PLACE_ROLES: Role[] = [
  'latitude',
  'longitude',
  'latitudeSide',
  'longitudeSide',
  'position',
  'northing',
  'easting',
  'x',
  'y',
  'crs',
  'photoPosition',
]
const HEIGHT_ROLES: Role[] = ['h', 'altitude', 'z']

/** The names of fields as header words: of those that the geometry overrules, words that mean nothing. */
export function attributeWords(names: readonly string[]): {
  words: string[]
  hasHeights: boolean
  isExported: boolean
} {
  const columns = columnsOf(names)
  const overruled = new Set(PLACE_ROLES.flatMap((role) => columns[role]?.map(({ index }) => index) ?? []))
  const isExported = columns.heightDatum !== undefined
  return {
    words: names.map((name, index) => (overruled.has(index) || (isExported && name === 'id') ? `field ${name}` : name)),
    hasHeights: HEIGHT_ROLES.some((role) => columns[role]?.some(({ index }) => !overruled.has(index))),
    isExported,
  }
}
