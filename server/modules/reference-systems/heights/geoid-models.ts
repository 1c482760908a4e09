import type { Pointer, Proj } from '../proj/library.ts'
import { type Operation, operationAt } from '../proj/operations.ts'

/** A geoid model of the register: from ellipsoidal heights to heights above the sea, in metres. */
export type GeoidModel = {
  pointer: Pointer
  operation: Operation
  /** Whether its grid is installed. */
  isUsable: boolean
  /** Area of use: west, south, east, north. */
  area: readonly number[]
}

/** PJ_CATEGORY_COORDINATE_OPERATION of proj.h */
const COORDINATE_OPERATION = 4

/** Distance between the ellipsoids of NAD83 and WGS84, in metres. */
const NAD83_METRES = 2

/**
 * The models of all vertical systems with the same datum, in any unit, whose geographic system uses the ellipsoid of WGS84
 * or GRS80. Selects those in metres: every datum has such a system.
 */
const QUERY = `
  select g.auth_name as authority, cast(g.code as text) as code, host.name as host, e.west_lon as west, e.south_lat as south, e.east_lon as east, e.north_lat as north
    from vertical_crs asked
    join vertical_crs v on v.datum_auth_name = asked.datum_auth_name and v.datum_code = asked.datum_code
    join grid_transformation g on g.target_crs_auth_name = v.auth_name and g.target_crs_code = v.code
    join geodetic_crs host on host.auth_name = g.source_crs_auth_name and host.code = g.source_crs_code
    join geodetic_datum d on d.auth_name = host.datum_auth_name and d.code = host.datum_code
    join axis a on a.coordinate_system_auth_name = v.coordinate_system_auth_name and a.coordinate_system_code = v.coordinate_system_code
    join usage u on u.object_table_name = 'grid_transformation' and u.object_auth_name = g.auth_name and u.object_code = g.code
    join extent e on e.auth_name = u.extent_auth_name and e.code = u.extent_code
   where asked.auth_name = ? and cast(asked.code as text) = ? and g.deprecated = 0 and cast(d.ellipsoid_code as text) in ('7019', '7030')
     and a.orientation = 'up' and cast(a.uom_code as text) = '9001' and g.method_name like 'Geographic3D to GravityRelatedHeight%'
   order by g.accuracy, g.auth_name, g.code`

type Row = { authority: string; code: string; host: string; west: number; south: number; east: number; north: number }

/** Vertical systems whose models are kept: creating them takes longer than to read a small file. */
const MAX_SYSTEMS = 100

const byProj = new WeakMap<Proj, Map<string, GeoidModel[]>>()

/** The registered geoid models for the datum of a vertical system, such as `EPSG:7837`. They are valid until 100 further systems were looked up. */
export function geoidModels(proj: Proj, system: string): GeoidModel[] {
  const kept = byProj.get(proj) ?? new Map<string, GeoidModel[]>()
  byProj.set(proj, kept)
  const known = kept.get(system)
  if (known) return known
  const models = registered(proj, system)
  if (kept.size >= MAX_SYSTEMS) {
    const [oldest, unused] = kept.entries().next().value!
    for (const { pointer } of unused) proj.run('proj_destroy', pointer)
    kept.delete(oldest)
  }
  kept.set(system, models)
  return models
}

function registered(proj: Proj, system: string): GeoidModel[] {
  const rows = proj
    .register()
    .prepare(QUERY)
    .all(...(system.split(':') as [string, string])) as Row[]
  return rows.flatMap((row) => modelOf(proj, row))
}

function modelOf(proj: Proj, { authority, code, host, west, south, east, north }: Row): GeoidModel[] {
  const { context } = proj
  const pointer = proj.number('proj_create_from_database', context, authority, code, COORDINATE_OPERATION, 1, 0)
  if (!pointer) return []
  const operation = operationAt(proj, pointer)
  if (operation.isBallpark || operation.accuracy === null) return []
  const accuracy = /^NAD83/.test(host) ? Math.max(operation.accuracy, NAD83_METRES) : operation.accuracy
  return [
    {
      pointer,
      operation: { ...operation, accuracy },
      isUsable: proj.number('proj_coordoperation_is_instantiable', context, pointer) === 1,
      area: [west, south, east, north],
    },
  ]
}
