import type { FeatureRow } from '../store.ts'
import type { Positions, UsedOperation } from './positions.ts'
import type { FeatureSystem } from './systems.ts'

const GEOMETRY = '"geometry" : '
const PROPERTIES = ', "properties" : '

/** The text of a feature in three parts. Only the geometry is parsed: numbers of properties stay as the database wrote them. */
function partsOf(feature: string): [before: string, geometry: string, after: string] {
  const start = feature.indexOf(GEOMETRY) + GEOMETRY.length
  const end = feature.indexOf(PROPERTIES, start)
  return [feature.slice(0, start), feature.slice(start, end), feature.slice(end)]
}

/** Features in a reference system, and the operations that placed them. @throws 400 if one cannot be placed accurately */
export async function inSystem<Row extends Pick<FeatureRow, 'feature'>>(
  rows: Row[],
  system: FeatureSystem,
  { toSystem }: Positions,
): Promise<{ rows: Row[]; operations: UsedOperation[] }> {
  if (system.kind === 'lon-lat') return { rows, operations: [] }
  const all = rows.map(({ feature }) => partsOf(feature))
  const geometries = all.map(([, geometry]) => JSON.parse(geometry))
  const operations = await toSystem(geometries, system)
  const written = rows.map((row, i) => ({
    ...row,
    feature: `${all[i]![0]}${JSON.stringify(geometries[i])}${all[i]![2]}`,
  }))
  return { rows: written, operations }
}

/** Adds up the positions of each operation. */
export function addOperations(all: UsedOperation[], more: UsedOperation[]): void {
  for (const operation of more) {
    const known = all.find(({ name }) => name === operation.name)
    if (known) known.points += operation.points
    else all.push({ ...operation })
  }
}
