import { badRequest } from '../../../platform/errors.ts'
import type { AskedSystem } from '../process/export-tasks.ts'
import type { Place } from '../process/export-writers.ts'
import type { ExportedGcp, ExportSystem, PlacedGcp, UsedOperation } from '../schema.ts'

type Point = Pick<ExportedGcp, 'title' | 'latitude' | 'longitude'>

/** The points with their coordinates in WGS84. */
export async function* toWgs84Batches(batches: AsyncIterable<ExportedGcp[]>): AsyncGenerator<PlacedGcp[]> {
  for await (const gcps of batches) yield gcps.map((gcp) => ({ ...gcp, x: gcp.longitude, y: gcp.latitude }))
}

/**
 * The points with their coordinates in another system. @throws HttpError 400 for a point that cannot be transformed and was
 * added after the check
 */
export async function* toSystemBatches(
  batches: AsyncIterable<ExportedGcp[]>,
  { asked, system, place }: { asked: AskedSystem; system: ExportSystem; place: Place },
): AsyncGenerator<PlacedGcp[]> {
  for await (const gcps of batches) {
    const there = gcps.filter(({ latitude }) => latitude !== null)
    const { pairs, placed } = await place(asked, pairsOf(there))
    const tally = emptyTally()
    add(tally, there, placed)
    refuseUnplaced(tally, system)
    let at = 0
    yield gcps.map((gcp) =>
      gcp.latitude === null ? { ...gcp, x: null, y: null } : { ...gcp, x: pairs[at++]!, y: pairs[at++]! },
    )
  }
}

/** How an export will be transformed, and how many points have no coordinates. */
export type Measured = { operations: UsedOperation[]; withoutPlace: number }

/** Checks all points before the first one is written. @throws HttpError 400 if some cannot be transformed */
export async function measureProjection(
  batches: AsyncIterable<Point[]>,
  { asked, system, place }: { asked: AskedSystem; system: ExportSystem; place: Place },
): Promise<Measured> {
  const tally = emptyTally()
  for await (const points of batches) {
    const there = points.filter(({ latitude }) => latitude !== null)
    tally.withoutPlace += points.length - there.length
    add(tally, there, (await place(asked, pairsOf(there))).placed)
  }
  refuseUnplaced(tally, system)
  return { operations: [...tally.operations.values()], withoutPlace: tally.withoutPlace }
}

const pairsOf = (points: readonly Point[]): Float64Array =>
  Float64Array.from(points.flatMap(({ longitude, latitude }) => [longitude!, latitude!]))

type Tally = ReturnType<typeof emptyTally>
const emptyTally = () => ({
  points: 0,
  withoutPlace: 0,
  outside: { count: 0, first: undefined as Point | undefined },
  refused: { count: 0, message: '' },
  operations: new Map<string, UsedOperation>(),
})

function add(
  tally: Tally,
  points: readonly Point[],
  { outside, refused, operations }: Awaited<ReturnType<Place>>['placed'],
) {
  tally.points += points.length
  tally.outside.count += outside.length
  if (outside.length > 0) tally.outside.first ??= points[outside[0]!]
  tally.refused.count += refused.length
  tally.refused.message ||= refused[0]?.message ?? ''
  for (const operation of operations) {
    const known = tally.operations.get(operation.name)
    if (known) known.points += operation.points
    else tally.operations.set(operation.name, { ...operation })
  }
}

function refuseUnplaced({ points, outside, refused }: Tally, { name, area }: ExportSystem): void {
  if (outside.first) {
    const { title, latitude, longitude } = outside.first
    const [west, south, east, north] = area ?? []
    const where = area ? ` (longitude ${west} to ${east}, latitude ${south} to ${north})` : ''
    throw badRequest(
      `${outside.count} of ${points} points lie outside the area of ${name}${where}, such as "${title.slice(0, 60)}" at latitude ${latitude}, longitude ${longitude}: use a reference system for that place, or omit crs for WGS84`,
    )
  }
  if (refused.count > 0)
    throw badRequest(`${refused.count} of ${points} points cannot be exported in ${refused.message}`)
}
