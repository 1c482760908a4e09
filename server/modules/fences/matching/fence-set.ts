import Flatbush from 'flatbush'
import { degreeBox } from '../../places/degree-boxes.ts'
import { type Ecef, toEcef } from '../../places/geodesy.ts'
import { metresBetween } from '../../places/metres-between.ts'
import { isInside, metresOutside, type Outline } from '../../zones/index.ts'
import type { CheckInRule } from '../records/schema.ts'

/** A fence as it is judged. */
export type Fence = {
  id: string
  name: string
  zoneId: number | null
  pinId: number | null
  maxAccuracy: number
  dwellSeconds: number | null
  checkIn: CheckInRule | null
  /** 0 inside; otherwise the distance in metres along the ellipsoid, or Infinity beyond `limit`. */
  metresOutside: (latitude: number, longitude: number, limit: number) => number
}

export type FenceRow = Omit<Fence, 'metresOutside'> & {
  radius: number | null
  latitude: number | null
  longitude: number | null
}

/** All fences of an app at one moment. */
export type FenceSet = {
  version: number
  get: (id: string) => Fence | undefined
  /** The fences that a place is inside of, in degrees. */
  around: (latitude: number, longitude: number) => Fence[]
  bytes: number
}

/** Memory of a fence without its boundary, in bytes: measured with 10,000 of them. */
const BYTES_A_FENCE = 1000

type Box = readonly [west: number, south: number, east: number, north: number]

/** @param outlines the boundaries of the zones. A fence whose zone or pin has no place contains nothing. */
export function fenceSet(version: number, rows: readonly FenceRow[], outlines: ReadonlyMap<number, Outline>): FenceSet {
  const fences = new Map<string, Fence>()
  const indexed: { fence: Fence; box: Box }[] = []
  const unindexed: Fence[] = []
  let bytes = 0
  for (const row of rows) {
    const outline = row.zoneId === null ? undefined : outlines.get(row.zoneId)
    const { box, ...shape } = (row.zoneId === null ? circleOf(row) : outline && areaOf(outline)) ?? NOWHERE
    const { latitude: _latitude, longitude: _longitude, radius: _radius, ...told } = row
    const fence = { ...told, metresOutside: shape.metresOutside }
    fences.set(row.id, fence)
    bytes += BYTES_A_FENCE + (outline ? outline.positions.byteLength + outline.blocks.byteLength : 0)
    if (box === 'none') unindexed.push(fence)
    else if (box) indexed.push({ fence, box })
  }
  const index = indexed.length > 0 ? new Flatbush(indexed.length) : undefined
  for (const { box } of indexed) index!.add(...box)
  index?.finish()

  return {
    version,
    bytes,
    get: (id) => fences.get(id),
    around: (latitude, longitude) => {
      const isThere = (fence: Fence) => fence.metresOutside(latitude, longitude, 0) === 0
      const near = index
        ? meridiansOf(latitude, longitude).flatMap(([west, east]) => index.search(west, latitude, east, latitude))
        : []
      return [...new Set(near.map((i) => indexed[i]!.fence)), ...unindexed].filter(isThere)
    },
  }
}

/** 180 and −180 are the same meridian, and a pole is on all of them. */
function meridiansOf(latitude: number, longitude: number): [number, number][] {
  if (Math.abs(latitude) === 90) return [[-180, 180]]
  const meridians = Math.abs(longitude) === 180 ? [180, -180] : [longitude]
  return meridians.map((meridian) => [meridian, meridian])
}

type Shape = Pick<Fence, 'metresOutside'> & { box: Box | 'none' | undefined }

const NOWHERE: Shape = { box: undefined, metresOutside: () => Number.POSITIVE_INFINITY }

const areaOf = (outline: Outline): Shape => ({
  box: outline.box,
  metresOutside: (latitude, longitude, limit) =>
    limit === 0
      ? isInside(outline, latitude, longitude)
        ? 0
        : Number.POSITIVE_INFINITY
      : metresOutside(outline, latitude, longitude, limit),
})

function circleOf({ latitude, longitude, radius }: FenceRow): Shape | undefined {
  if (latitude === null || longitude === null || radius === null) return undefined
  const centre: Ecef = toEcef(latitude, longitude)
  const box = degreeBox(latitude, longitude, radius)
  return {
    // Across 180° and near a pole, a circle has no box: it is tested for each fix.
    box: box ? [box.west, box.south, box.east, box.north] : 'none',
    metresOutside: (lat, lon, limit) => {
      const metres = metresBetween(...centre, toEcef(lat, lon)) - radius
      if (metres <= 0) return 0
      return metres <= limit ? metres : Number.POSITIVE_INFINITY
    },
  }
}
