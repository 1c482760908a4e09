import { type Crs, type CrsTable, loadCrsTable, type Operation } from '../../reference-systems/crs.ts'
import { inArea } from '../../reference-systems/in-area.ts'
import { truncate } from '../../surveys/parser/truncate.ts'
import type { AskedSystem, ExportAnswer, ExportTask, PlacedCounts } from '../process/export-tasks.ts'
import type { ExportSystem } from '../schema.ts'

/** Decimals of metres and of degrees: a micrometre. */
const DECIMALS = { projected: 6, geographic: 12 }
const CODE = /^[A-Z][A-Z_0-9]*:\w+$/

/** Transforms points from WGS84 to other reference systems, in a process of `createExportWriters`. */
export function projections() {
  let held: { key: string; table: CrsTable; crs: Crs | string } | undefined

  /** Caches the last system: all batches of an export use the same one. */
  async function found({ crs, maxError }: AskedSystem): Promise<Crs | string> {
    const key = JSON.stringify([crs, maxError])
    if (held?.key === key) return held.crs
    held?.table.close()
    const table = await loadCrsTable({ maxError, given: crs })
    held = { key, table, crs: table.find(crs) }
    return held.crs
  }

  /** Transforms all pairs of a request. */
  async function each(
    asked: AskedSystem,
    bytes: Uint8Array<ArrayBuffer>,
    transform: (crs: Crs, pairs: Float64Array) => PlacedCounts,
  ): Promise<{ head: ExportAnswer; bytes: Uint8Array }> {
    const crs = await found(asked)
    if (typeof crs === 'string') return { head: { kind: 'refused', message: crs }, bytes: new Uint8Array() }
    const pairs = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8)
    const placed = transform(crs, pairs)
    return {
      head: { kind: 'placed', placed },
      bytes: new Uint8Array(pairs.buffer, pairs.byteOffset, pairs.byteLength),
    }
  }

  return {
    /** The system that a text names, or why coordinates cannot be exported in it. */
    async systemOf(asked: AskedSystem): Promise<ExportAnswer> {
      const crs = await found(asked)
      const message = typeof crs === 'string' ? crs : whyUnfit(crs, asked.crs)
      if (typeof crs === 'string' || message !== undefined) return { kind: 'refused', message: message! }
      return { kind: 'system', system: described(crs, asked.crs) }
    },

    /** Transforms pairs of longitude and latitude to easting and northing; NaN if a point is outside the system. */
    place: ({ axes, ...asked }: Extract<ExportTask, { kind: 'place' }>, bytes: Uint8Array<ArrayBuffer>) =>
      each(asked, bytes, (crs, pairs) =>
        transformed(crs, pairs, (longitude, latitude) => {
          const isInside = !crs.area || inArea(crs.area, longitude, latitude)
          const at = isInside ? coordinatesOf(crs, longitude, latitude) : undefined
          if (!at) return undefined
          const { x, y } = rounded(crs, at)
          return { pair: axes ? crs.order.toAxes(x, y) : [x, y], isInside, operation: at.operation }
        }),
      ),

    /** Transforms coordinates in the order of the system's axes to longitude and latitude, also outside the system's area. */
    locate: (asked: AskedSystem, bytes: Uint8Array<ArrayBuffer>) =>
      each(asked, bytes, (crs, pairs) =>
        transformed(crs, pairs, (first, second) => {
          const { x, y } = crs.order.fromAxes([first, second])
          const at = crs.toWgs84(x * crs.turn, y * crs.turn)
          if (!at) return undefined
          const isInside = !crs.area || inArea(crs.area, at.longitude, at.latitude)
          return { pair: [at.longitude, at.latitude], isInside, operation: at.operation }
        }),
      ),
  }
}

type Transformed = { pair: [number, number]; isInside: boolean; operation: Operation }

function rounded(crs: Crs, { x, y }: { x: number; y: number }): { x: number; y: number } {
  const digits = DECIMALS[crs.kind === 'projected' ? 'projected' : 'geographic']
  return { x: Number((x / crs.turn).toFixed(digits)), y: Number((y / crs.turn).toFixed(digits)) }
}

/** Transforms pairs in place. */
function transformed(
  crs: Crs,
  pairs: Float64Array,
  transform: (first: number, second: number) => Transformed | undefined,
): PlacedCounts {
  const operations = new Map<string, PlacedCounts['operations'][number]>()
  const counts: PlacedCounts = { outside: [], refused: [], operations: [] }
  for (let index = 0; index * 2 < pairs.length; index++) {
    const found = transform(pairs[index * 2]!, pairs[index * 2 + 1]!)
    const refusal = found && crs.refusal(found.operation)
    if (!found?.isInside) counts.outside.push(index)
    else if (refusal !== undefined) counts.refused.push({ index, message: `${crs.name}: ${refusal}` })
    pairs.set(found?.pair ?? [Number.NaN, Number.NaN], index * 2)
    if (!found) continue
    const { name, accuracy } = found.operation
    const used = operations.get(name)
    if (used) used.points++
    else operations.set(name, { name: truncate(name, 500), accuracy, points: 1 })
  }
  counts.operations = [...operations.values()]
  return counts
}

/** Steps towards coordinates that invert exactly. The first one leaves less than a micrometre per millimetre. */
const STEPS = 3
const EXACT_DEGREES = 1e-11

/**
 * The coordinates that an import transforms to this place. A datum operation and its inverse differ by up to some
 * millimetres, because both are approximations and a plane system has no height: the difference is subtracted.
 */
function coordinatesOf(crs: Crs, longitude: number, latitude: number): ReturnType<Crs['fromWgs84']> {
  let [aimLongitude, aimLatitude] = [longitude, latitude]
  let found = crs.fromWgs84(longitude, latitude)
  for (let step = 0; found && step < STEPS; step++) {
    const back = crs.toWgs84(found.x, found.y)
    if (!back) return found
    const [east, north] = [around(longitude - back.longitude), latitude - back.latitude]
    if (Math.abs(east) < EXACT_DEGREES && Math.abs(north) < EXACT_DEGREES) return found
    aimLongitude += east
    aimLatitude += north
    found = crs.fromWgs84(aimLongitude, aimLatitude) ?? found
  }
  return found
}

/** A difference of longitudes, the short way around. */
const around = (degrees: number): number => ((degrees + 540) % 360) - 180

/** A file names its system by a code or proj text, and heights are exported as recorded. */
function whyUnfit(crs: Crs, asked: string): string | undefined {
  if (crs.kind === 'geocentric') return `${crs.name} is geocentric: name a projected or geographic reference system`
  if (crs.vertical !== undefined)
    return `heights are exported as recorded, with their datum: name the plane system alone, without ${crs.vertical}`
  if (!CODE.test(crs.name) && !asked.startsWith('+'))
    return `"${truncate(asked, 80)}" has no code to write into a file: name the reference system as EPSG:n or as proj text`
  return undefined
}

function described(crs: Crs, asked: string): ExportSystem {
  const [first, second] = crs.axes as [Crs['axes'][number], Crs['axes'][number]]
  const isEastWest = /^(?:east|west)$/i
  // Around a pole both axes point the same way: their names then decide.
  const northFirst =
    first.direction === second.direction
      ? /^(?:N|north)/i.test(first.abbreviation || first.name)
      : isEastWest.test(second.direction)
  return {
    name: CODE.test(crs.name) ? crs.name : asked,
    kind: crs.kind === 'projected' ? 'projected' : 'geographic',
    unit: crs.unit,
    northFirst,
    isReversed: [first.direction, second.direction].sort().join(' ') === 'south west' && crs.kind === 'projected',
    wkt: crs.wkt(),
    area: crs.area,
  }
}
