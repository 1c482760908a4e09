import { LRUCache } from 'lru-cache'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import { unavailable } from '../../../platform/errors.ts'
import { createYielder } from '../yield-loop.ts'
import { BYTES_A_POSITION, isInside, type Outline, outlineOf, touches } from './outline.ts'
import type { Box } from './rings.ts'

/**
 * A zone that a search has to test. `version` changes with every write of the row; `bytes` is the size of its outline.
 */
export type Candidate = { id: number; version: string; bytes: number }
/**
 * Candidates, the IDs of those that passed, and how many were tested; `isCut` if the search stopped before testing all.
 */
export type Found<Zone> = { candidates: Zone[]; ids: number[]; lookedAt: number; isCut: boolean }
/** A point, in degrees, and the zone that it is tested with. */
export type PointOfZone = { zoneId: number; latitude: number; longitude: number }
/** Reads the candidates of a search from the database. */
type FindCandidates<Zone> = () => Promise<Zone[]>

type Deps = {
  /** The boundaries of these zones as boundary_positions returns them; zones without one are left out. */
  load: (ids: number[], isLong: boolean) => Promise<{ id: number; version: string; positions: Uint8Array }[]>
  /** Size of the cache in bytes. */
  bytes?: number
  atOnce?: number
  maxWaiting?: number
}

/** The most that one statement loads. */
const LOADED_AT_ONCE = { zones: 10, bytes: 512 * 1024 }
/** More is read in the thread of large reads. */
const LONG_BYTES = 128 * 1024
/** A search stops after the zone with which it has tested this many positions. */
const MAX_POSITIONS = 1_000_000
/** Testing a block of sides takes microseconds; the search yields to the event loop this often. */
const STRETCH_MS = 4
/** The two searches at a time take half of one core together while others wait. */
const REST = { ratio: 3, maxMs: 25 }

export type Outlines = ReturnType<typeof createOutlines>

/**
 * Exact searches in the boundaries of zones, which are cached in memory until their rows change. `atOnce` searches run
 * at a time, including their queries, so that many of them leave the main thread to other requests; the others wait,
 * with senders taking turns.
 */
export function createOutlines({ load, bytes = 128 * 2 ** 20, atOnce = 2, maxWaiting = 100 }: Deps) {
  const kept = new LRUCache<number, { version: string; outline: Outline }>({
    maxSize: bytes,
    sizeCalculation: ({ outline }) => Math.ceil((outline.positions.length / 2) * BYTES_A_POSITION) + 200,
  })
  const full = () => unavailable('Too many zone searches are waiting: try again soon', 5)
  const limited = createConcurrencyLimiter({ maxConcurrent: atOnce, maxWaiting, full, rest: REST })
  // One at a time, so that a search finds what an earlier one has loaded. Large boundaries wait for other large reads:
  // small ones do not wait for them.
  const loading = createConcurrencyLimiter({ maxConcurrent: 1 })
  const loadingLong = createConcurrencyLimiter({ maxConcurrent: 1 })

  const isKept = ({ id, version }: Candidate) => kept.peek(id)?.version === version

  /** The outlines of candidates, by ID, for the whole call, even if the cache holds fewer. */
  const outlinesOf = async (candidates: Candidate[]): Promise<Map<number, Outline>> => {
    const missing = candidates.filter((candidate) => !isKept(candidate))
    if (missing.length === 0) return keptOf(candidates)
    const isLong = missing.reduce((sum, { bytes }) => sum + bytes, 0) > LONG_BYTES
    return (isLong ? loadingLong : loading)(() => loadOf(candidates, isLong))
  }

  const keptOf = (candidates: Candidate[]): Map<number, Outline> =>
    new Map(candidates.filter(isKept).map(({ id }) => [id, kept.get(id)!.outline]))

  const loadOf = async (candidates: Candidate[], isLong: boolean): Promise<Map<number, Outline>> => {
    // Take cached ones first: caching newly loaded ones may evict them.
    const outlines = keptOf(candidates)
    const missing = candidates.filter(({ id }) => !outlines.has(id))
    if (missing.length === 0) return outlines
    for (const { id } of missing) kept.delete(id)
    const pace = createYielder(STRETCH_MS)
    for (const { id, version, positions } of await load(
      missing.map(({ id }) => id),
      isLong,
    )) {
      await pace()
      const outline = outlineOf(positions)
      kept.set(id, { version, outline })
      outlines.set(id, outline)
    }
    return outlines
  }

  /** Those that pass a test, in order: at most `limit`, within MAX_POSITIONS. */
  const those = <Zone extends Candidate>(
    findCandidates: FindCandidates<Zone>,
    limit: number,
    sender: string,
    passes: (outline: Outline) => boolean,
  ) =>
    limited(
      async (): Promise<Found<Zone>> => {
        const candidates = await findCandidates()
        const ids: number[] = []
        let [lookedAt, positions] = [0, 0]
        const pace = createYielder(STRETCH_MS)
        for (const piece of pieces(candidates)) {
          const outlines = await outlinesOf(piece)
          for (const { id } of piece) {
            await pace()
            const outline = outlines.get(id)
            if (outline && passes(outline)) ids.push(id)
            positions += (outline?.positions.length ?? 0) / 2
            lookedAt++
            if (ids.length >= limit || positions > MAX_POSITIONS)
              return { candidates, ids, lookedAt, isCut: lookedAt < candidates.length }
          }
        }
        return { candidates, ids, lookedAt, isCut: false }
      },
      { sender },
    )

  return {
    /**
     * The first of these zones that contain a point, in degrees. @param sender for fairness @throws 503 if too many
     * wait
     */
    holding: <Zone extends Candidate>(
      findCandidates: FindCandidates<Zone>,
      [latitude, longitude]: readonly [number, number],
      limit: number,
      sender: string,
    ) => those(findCandidates, limit, sender, (outline) => isInside(outline, latitude, longitude)),

    /**
     * The first of these zones that intersect one of some boxes. @param sender for fairness @throws 503 if too many
     * wait
     */
    touching: <Zone extends Candidate>(
      findCandidates: FindCandidates<Zone>,
      boxes: readonly Box[],
      limit: number,
      sender: string,
    ) => those(findCandidates, limit, sender, (outline) => boxes.some((box) => touches(outline, box))),

    /** Whether each point is inside the boundary of its zone; undefined for a zone that has none or is no candidate. */
    async insideAll(candidates: Candidate[], points: PointOfZone[]): Promise<(boolean | undefined)[]> {
      const inside: (boolean | undefined)[] = points.map(() => undefined)
      const ofZone = Map.groupBy(points.keys(), (at) => points[at]!.zoneId)
      const pace = createYielder(STRETCH_MS)
      for (const piece of pieces(candidates)) {
        for (const [zoneId, outline] of await outlinesOf(piece))
          for (const at of ofZone.get(zoneId) ?? []) {
            inside[at] = isInside(outline, points[at]!.latitude, points[at]!.longitude)
            await pace()
          }
      }
      return inside
    },
  }
}

/** Splits candidates into groups loaded by one statement. */
function* pieces(candidates: Candidate[]): Generator<Candidate[]> {
  let [piece, bytes] = [[] as Candidate[], 0]
  for (const candidate of candidates) {
    if (piece.length === LOADED_AT_ONCE.zones || (piece.length > 0 && bytes + candidate.bytes > LOADED_AT_ONCE.bytes)) {
      yield piece
      ;[piece, bytes] = [[], 0]
    }
    piece.push(candidate)
    bytes += candidate.bytes
  }
  if (piece.length > 0) yield piece
}
