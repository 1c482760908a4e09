import Flatbush from 'flatbush'
import { degreeBox } from '../../places/degree-boxes.ts'
import { type Ecef, toEcef } from '../../places/geodesy.ts'
import { metresBetween } from '../../places/metres-between.ts'
import { isWithin, type Outline } from '../../zones/index.ts'
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
  /** Whether a place, in degrees, is inside, or outside by at most some metres along the ellipsoid. */
  isWithin: (latitude: number, longitude: number, metres: number) => boolean
}

export type FenceRow = Omit<Fence, 'isWithin'> & {
  radius: number | null
  latitude: number | null
  longitude: number | null
}

/** All fences of an app at one moment. */
export type FenceSet = {
  version: number
  get: (id: string) => Fence | undefined
  /** The fences that a place is inside of, in degrees: the MAX_AROUND oldest. */
  around: (latitude: number, longitude: number) => Fence[]
  bytes: number
}

/** Fences that one place counts for: it bounds what a fix can report. */
const MAX_AROUND = 100

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
    const { latitude: _latitude, longitude: _longitude, radius: _radius, ...record } = row
    const fence = { ...record, isWithin: shape.isWithin }
    fences.set(row.id, fence)
    bytes +=
      BYTES_A_FENCE +
      (outline ? outline.positions.byteLength + outline.blocks.byteLength + outline.chains.byteLength : 0)
    if (box === 'none') unindexed.push(fence)
    else if (box) indexed.push({ fence, box })
  }
  const order = new Map([...fences.keys()].map((id, i) => [id, i]))
  const index = indexed.length > 0 ? new Flatbush(indexed.length) : undefined
  for (const { box } of indexed) index!.add(...box)
  index?.finish()

  return {
    version,
    bytes,
    get: (id) => fences.get(id),
    around: (latitude, longitude) => {
      const isThere = (fence: Fence) => fence.isWithin(latitude, longitude, 0)
      const near = index
        ? meridiansOf(latitude, longitude).flatMap(([west, east]) => index.search(west, latitude, east, latitude))
        : []
      const there = [...new Set(near.map((i) => indexed[i]!.fence)), ...unindexed].filter(isThere)
      return there.toSorted((a, b) => order.get(a.id)! - order.get(b.id)!).slice(0, MAX_AROUND)
    },
  }
}

/** 180 and −180 are the same meridian, and a pole is on all of them. */
function meridiansOf(latitude: number, longitude: number): [number, number][] {
  if (Math.abs(latitude) === 90) return [[-180, 180]]
  const meridians = Math.abs(longitude) === 180 ? [180, -180] : [longitude]
  return meridians.map((meridian) => [meridian, meridian])
}

type Shape = Pick<Fence, 'isWithin'> & { box: Box | 'none' | undefined }

const NOWHERE: Shape = { box: undefined, isWithin: () => false }

const areaOf = (outline: Outline): Shape => ({
  box: outline.box,
  isWithin: (latitude, longitude, metres) => isWithin(outline, latitude, longitude, metres),
})

function circleOf({ latitude, longitude, radius }: FenceRow): Shape | undefined {
  if (latitude === null || longitude === null || radius === null) return undefined
  const centre: Ecef = toEcef(latitude, longitude)
  const box = degreeBox(latitude, longitude, radius)
  return {
    // Across 180° and near a pole, a circle has no box: it is tested for each fix.
    box: box ? [box.west, box.south, box.east, box.north] : 'none',
    isWithin: (lat, lon, metres) => metresBetween(...centre, toEcef(lat, lon)) <= radius + metres,
  }
}
