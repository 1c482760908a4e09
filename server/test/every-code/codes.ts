import { DatabaseSync } from 'node:sqlite'

type Axis = { abbreviation: string; direction: string }

/** A projected or geographic system of the EPSG register, from a `proj.db`. */
export type EpsgCode = {
  code: number
  name: string
  kind: 'projected' | 'geographic 2D' | 'geographic 3D'
  /** West, south, east, north in degrees; west > east crosses the antimeridian. */
  area: [west: number, south: number, east: number, north: number]
  /** Its first and second axis: abbreviation and direction (`north`, `South along 90°E`). */
  axes: [first: Axis, second: Axis]
}

const COLUMNS = `c.code, c.name, e.west_lon west, e.south_lat south, e.east_lon east, e.north_lat north,
                 first.abbrev a1, first.orientation d1, second.abbrev a2, second.orientation d2`
const JOINS = `join axis first on first.coordinate_system_code = c.coordinate_system_code
                 and first.coordinate_system_auth_name = c.coordinate_system_auth_name and first.coordinate_system_order = 1
               join axis second on second.coordinate_system_code = c.coordinate_system_code
                 and second.coordinate_system_auth_name = c.coordinate_system_auth_name and second.coordinate_system_order = 2
               join usage u on u.object_auth_name = c.auth_name and u.object_code = c.code and u.object_table_name =`
const EXTENT = `join extent e on e.auth_name = u.extent_auth_name and e.code = u.extent_code where c.auth_name = 'EPSG'`

/** @returns all projected and geographic codes of EPSG in a `proj.db`, deprecated ones too, by number */
export function epsgCodes(projDb: string): EpsgCode[] {
  const database = new DatabaseSync(projDb, { readOnly: true })
  try {
    const rows = database
      .prepare(
        `select ${COLUMNS}, 'projected' kind from projected_crs c ${JOINS} 'projected_crs' ${EXTENT}
         union all
         select ${COLUMNS}, c.type kind from geodetic_crs c ${JOINS} 'geodetic_crs' ${EXTENT} and c.type like 'geographic %'`,
      )
      .all()
    const axis = (abbreviation: unknown, direction: unknown): Axis => ({
      abbreviation: String(abbreviation),
      direction: String(direction),
    })
    const codes = rows.map(({ code, name, kind, west, south, east, north, a1, d1, a2, d2 }) => ({
      code: Number(code),
      name: String(name),
      kind: kind as EpsgCode['kind'],
      area: [west, south, east, north].map(Number) as EpsgCode['area'],
      axes: [axis(a1, d1), axis(a2, d2)] as EpsgCode['axes'],
    }))
    return [...new Map(codes.map((code) => [code.code, code])).values()].sort((a, b) => a.code - b.code)
  } finally {
    database.close()
  }
}

/** @returns five points inside an area of use, the middle first: latitude and longitude in degrees */
export function pointsIn([west, south, east, north]: EpsgCode['area']): [latitude: number, longitude: number][] {
  const width = (((east - west) % 360) + 360) % 360 || 360
  const at = (x: number, y: number): [number, number] => {
    const longitude = west + width * x
    return [south + (north - south) * y, longitude > 180 ? longitude - 360 : longitude]
  }
  return [at(0.5, 0.5), at(0.2, 0.2), at(0.8, 0.2), at(0.2, 0.8), at(0.8, 0.8)]
}

/** Easting and northing in the order and directions of a system's axes, as `cs2cs` reads them; angles in degrees. */
export function inRegister({ axes: [first, second] }: EpsgCode, east: number, north: number): number[] {
  // Around a pole both axes have the same direction, along two meridians: the abbreviation identifies the northing.
  const isPolar = / along /.test(first.direction)
  const northFirst = isPolar ? first.abbreviation === 'N' : /^(?:north|south)$/.test(first.direction)
  const figures = northFirst ? [north, east] : [east, north]
  return [first, second].map(({ direction }, i) => (/^(?:west|south)$/.test(direction) ? -figures[i]! : figures[i]!))
}
