import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'

/** A transformation with a grid between two reference systems, in either direction, with its accuracy in metres if stated. */
export type GridUse = { name: string; from: string; to: string; accuracy: number | null }

/** The grids in PROJ's database. */
export type GridRegistry = {
  /** The PROJ name of a grid file, by its old or new name in any case; undefined for an unknown file. */
  nameOf: (file: string) => string | undefined
  /** The transformations of EPSG, or else of another authority, with a grid by its PROJ name; most accurate first. */
  usesOf: (name: string) => GridUse[]
  close: () => void
}

type Use = GridUse & { file: string; isEpsg: number }

const USES = `
  select distinct grid.proj_grid_name as file, use.auth_name = 'EPSG' as "isEpsg", use.name, source.name as "from",
    target.name as "to", use.accuracy
  from grid_alternatives grid
  join grid_transformation use on grid.original_grid_name in (use.grid_name, use.grid2_name) and not use.deprecated
  join crs_view source on (source.auth_name, source.code) = (use.source_crs_auth_name, use.source_crs_code)
  join crs_view target on (target.auth_name, target.code) = (use.target_crs_auth_name, use.target_crs_code)
  order by use.accuracy is null, use.accuracy, use.name`

/** Opens PROJ's database read-only (`proj.db`; its tables are described in PROJ's `data/sql`). */
export function openGridRegistry(): GridRegistry {
  const database = new DatabaseSync(fileURLToPath(new URL('proj.db', import.meta.resolve('proj-wasm'))), {
    readOnly: true,
  })
  const named = database.prepare(`
    select proj_grid_name as name from grid_alternatives
    where lower(?) in (lower(proj_grid_name), lower(old_proj_grid_name)) and proj_grid_name <> '' limit 1`)
  let all: Map<string, Use[]> | undefined
  return {
    nameOf: (file) => named.get(file)?.name as string | undefined,
    usesOf(name) {
      all ??= Map.groupBy(database.prepare(USES).all() as Use[], ({ file }) => file)
      const uses = all.get(name) ?? []
      const epsg = uses.filter(({ isEpsg }) => isEpsg)
      return (epsg.length > 0 ? epsg : uses).map(({ name, from, to, accuracy }) => ({ name, from, to, accuracy }))
    },
    close: () => database.close(),
  }
}
