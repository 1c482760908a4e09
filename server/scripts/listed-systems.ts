import { writeFile } from 'node:fs/promises'
import { projections } from '../modules/exports/projections/projections.ts'
import { MAX_ERROR } from '../modules/features/crs/positions.ts'
import { proj } from '../modules/reference-systems/proj/library.ts'

/**
 * Writes the EPSG codes that the layers accept in `crs` without further grid files: `node server/scripts/listed-systems.ts`.
 * A code is listed if a position in the middle of its area can be transformed within `MAX_ERROR`. Takes about ten minutes.
 */
const FILE = 'server/modules/features/crs/listed-codes.ts'

type Row = { code: string; west: number; south: number; east: number; north: number }

const QUERY = `
  select system.code, west_lon as west, south_lat as south, east_lon as east, north_lat as north
    from (select code, 'projected_crs' as kind from projected_crs where auth_name = 'EPSG' and deprecated = 0
          union all
          select code, 'geodetic_crs' from geodetic_crs
           where auth_name = 'EPSG' and deprecated = 0 and type = 'geographic 2D') as system
    join usage on object_table_name = kind and object_auth_name = 'EPSG' and object_code = system.code
    join extent on extent.auth_name = extent_auth_name and extent.code = extent_code
   group by system.code`

const { systemOf, place } = projections()

async function isUsable({ code, west, south, east, north }: Row): Promise<boolean> {
  const asked = { crs: `EPSG:${code}`, maxError: MAX_ERROR }
  if ((await systemOf(asked)).kind === 'refused') return false
  const longitude = (((west + (east < west ? east + 360 : east)) / 2 + 540) % 360) - 180
  const { head } = await place(
    { kind: 'place', ...asked },
    new Uint8Array(Float64Array.of(longitude, (south + north) / 2).buffer),
  )
  return head.kind === 'placed' && head.placed.outside.length + head.placed.refused.length === 0
}

function rangesOf(codes: number[]): string[] {
  const ranges: [number, number][] = []
  for (const code of codes.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && code === last[1] + 1) last[1] = code
    else ranges.push([code, code])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
}

const listed: number[] = []
for (const row of (await proj()).register().prepare(QUERY).all() as Row[])
  if (await isUsable(row)) listed.push(Number(row.code))
await writeFile(
  FILE,
  `/** Written by server/scripts/listed-systems.ts: EPSG codes and ranges of codes. */\nexport const LISTED_CODES =\n  '${rangesOf(listed).join(' ')}'\n`,
)
