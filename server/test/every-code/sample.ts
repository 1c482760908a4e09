import { DatabaseSync } from 'node:sqlite'
import { epsgCodes, pointsIn } from './codes.ts'
import { knownDifferences, knownRefusals } from './known.ts'

type Base = { code: number; base: number; datum: number; system: number; method: number | null }
type Grid = { name: string; ends: number[]; west: number; south: number; east: number; north: number }

/**
 * The codes that an ordinary run compares: each projection method, datum, coordinate system (axes and units) and grid of
 * the register at least once, and each exception of `known.ts`. The same for the same register.
 * @returns codes in ascending order
 */
export function sampleCodes(projDb: string): number[] {
  const traits = traitsOfCodes(projDb)
  const always = [...knownDifferences, ...knownRefusals].flatMap(({ codes }) => codes)
  const richestFirst = [...traits].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || a - b)
  const seen = new Set(always.flatMap((code) => traits.get(code) ?? []))
  const chosen = new Set(always)
  for (const [code, own] of richestFirst) {
    if (own.every((trait) => seen.has(trait))) continue
    chosen.add(code)
    for (const trait of own) seen.add(trait)
  }
  return [...chosen].sort((a, b) => a - b)
}

/** @returns what a sample must have, for each code: `method 9807`, `datum 6326`, `axes 4400`, `grid x.tif` */
export function traitsOfCodes(projDb: string): Map<number, string[]> {
  const database = new DatabaseSync(projDb, { readOnly: true })
  try {
    const bases = new Map(basesIn(database).map((base) => [base.code, base]))
    const grids = Map.groupBy(
      gridsIn(database).flatMap((grid) => grid.ends.map((end) => ({ ...grid, end }))),
      ({ end }) => end,
    )
    return new Map(
      epsgCodes(projDb).map(({ code, kind, area }) => {
        const { base, datum, system, method } = bases.get(code)!
        const points = pointsIn(area)
        const holding = (grids.get(base) ?? []).filter((grid) => points.some((point) => isIn(grid, point)))
        const own = [`kind ${kind}`, `datum ${datum}`, `axes ${system}`]
        if (method !== null) own.push(`method ${method}`)
        return [code, [...new Set([...own, ...holding.map(({ name }) => `grid ${name}`)])]]
      }),
    )
  } finally {
    database.close()
  }
}

const basesIn = (database: DatabaseSync) =>
  database
    .prepare(
      `select p.code, g.code base, g.datum_code datum, p.coordinate_system_code system, c.method_code method
         from projected_crs p
         join geodetic_crs g on g.auth_name = p.geodetic_crs_auth_name and g.code = p.geodetic_crs_code
         join conversion_table c on c.auth_name = p.conversion_auth_name and c.code = p.conversion_code
        where p.auth_name = 'EPSG'
       union all
       select code, code, datum_code, coordinate_system_code, null from geodetic_crs where auth_name = 'EPSG'`,
    )
    .all() as Base[]

const gridsIn = (database: DatabaseSync): Grid[] =>
  database
    .prepare(
      `select t.grid_name name, t.source_crs_code source, t.target_crs_code target,
              e.west_lon west, e.south_lat south, e.east_lon east, e.north_lat north
         from grid_transformation t
         join usage u on u.object_table_name = 'grid_transformation'
          and u.object_auth_name = t.auth_name and u.object_code = t.code
         join extent e on e.auth_name = u.extent_auth_name and e.code = u.extent_code
        where t.source_crs_auth_name = 'EPSG' and t.target_crs_auth_name = 'EPSG'`,
    )
    .all()
    .map(({ name, source, target, west, south, east, north }) => ({
      name: String(name),
      ends: [Number(source), Number(target)],
      west: Number(west),
      south: Number(south),
      east: Number(east),
      north: Number(north),
    }))

function isIn({ west, south, east, north }: Grid, [latitude, longitude]: [number, number]): boolean {
  if (latitude < south || latitude > north) return false
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
}
