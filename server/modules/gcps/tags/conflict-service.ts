import type { DegreeBox } from '../../places/degree-boxes.ts'
import { earthBox } from '../../places/earth-box.ts'
import type { RecordStore } from '../read-store.ts'
import { type ConflictQuery, MAX_PAIRS, type TagConflictPair } from '../schema.ts'
import type { ConflictPair, ConflictStore, MapPart } from './conflict-store.ts'
import { freeTags } from './tag-service.ts'

type Deps = {
  store: ConflictStore
  records: Pick<RecordStore, 'ofIds'>
  /** Parses a bbox. @throws 400 */
  readBbox: (text: string) => { parts: DegreeBox[] }
}

export type ConflictService = ReturnType<typeof conflictService>

/** Pairs read at once: a few megabytes with their records. */
const BATCH_SIZE = 100

/** Lists GCPs that carry the same AprilTag too close to each other: imports, older data and changed settings leave such. */
export function conflictService({ store, records, readBbox }: Deps) {
  /** The pairs with their records, without those whose record has since been deleted. */
  const toResponse = async (pairs: ConflictPair[]): Promise<TagConflictPair[]> => {
    const ids = [...new Set(pairs.flatMap(({ one, other }) => [one, other]))]
    const [gcps, used] = await Promise.all([records.ofIds(ids), store.tagsAround(ids)])
    const byId = new Map(gcps.map((gcp) => [gcp.id, gcp]))
    return pairs.flatMap(({ one, other, aprilTagId, metres }) => {
      const both = [byId.get(one), byId.get(other)] as const
      const carried = [one, other].flatMap((id) => used.get(id) ?? [])
      if (!both[0] || !both[1]) return []
      return [{ aprilTagId, metres, gcps: [both[0], both[1]], freeAprilTagIds: freeTags(carried) }]
    })
  }

  async function* readInBatches(pairs: ConflictPair[]): AsyncGenerator<TagConflictPair[]> {
    for (let at = 0; at < pairs.length; at += BATCH_SIZE) yield toResponse(pairs.slice(at, at + BATCH_SIZE))
  }

  let turn: Promise<unknown> = Promise.resolve()
  /** Runs one search at a time: each scans all points in its scope, on connections that other searches share. */
  const limited = <Result>(search: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(search)
    turn = result.catch(() => {})
    return result
  }

  /** The parts of the map to search; undefined: everywhere. A zone is searched within its extent. */
  async function partsOf(bbox: string | undefined, zoneId: number | undefined): Promise<DegreeBox[] | undefined> {
    if (bbox !== undefined) return readBbox(bbox).parts
    if (zoneId === undefined) return undefined
    const extent = await store.extentOf(zoneId)
    return extent ? [extent] : []
  }

  return {
    /** The number of pairs in scope, at most 1,000, and the nearest of them in batches. @throws 400 */
    async list({ bbox, zoneId, limit }: ConflictQuery) {
      const parts = (await partsOf(bbox, zoneId))?.map(inSpace)
      const pairs = await limited(() => store.pairs({ parts, zoneId }, MAX_PAIRS))
      pairs.sort((a, b) => a.metres - b.metres || a.one - b.one || a.other - b.other)
      const shown = pairs.slice(0, limit)
      return { total: pairs.length, pairs: readInBatches(shown) }
    },
  }
}

const inSpace = (part: DegreeBox): MapPart => ({
  ...part,
  space: earthBox(part.west, part.south, part.east, part.north),
})
