import type { DegreeBox } from '../../places/degree-boxes.ts'
import { earthBox } from '../../places/earth-box.ts'
import type { RecordStore } from '../read-store.ts'
import { type ConflictQuery, MAX_PAIRS, type TagConflictPair } from '../schema.ts'
import type { ConflictPair, ConflictStore, MapPart } from './conflict-store.ts'
import { freeTags } from './tag-service.ts'

type Deps = {
  store: ConflictStore
  records: Pick<RecordStore, 'ofIds'>
  /** Reads a part of the map. @throws 400 */
  readBbox: (text: string) => { parts: DegreeBox[] }
}

export type ConflictService = ReturnType<typeof conflictService>

/** So many pairs are in memory at once: with all their records may hold, some megabytes. */
const AT_ONCE = 100

/** GCPs that carry the same April tag too close to each other: what imports, older data and changed settings leave. */
export function conflictService({ store, records, readBbox }: Deps) {
  /** The pairs with their records. One whose record went meanwhile is none any more. */
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
    for (let at = 0; at < pairs.length; at += AT_ONCE) yield toResponse(pairs.slice(at, at + AT_ONCE))
  }

  let turn: Promise<unknown> = Promise.resolve()
  /** One search at a time: each goes through all points in its scope, and others search on the same connections. */
  const inTurn = <Result>(search: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(search)
    turn = result.catch(() => {})
    return result
  }

  /** Where to look; undefined: everywhere. A zone has its points in a part of the earth. */
  async function partsOf(bbox: string | undefined, zoneId: number | undefined): Promise<DegreeBox[] | undefined> {
    if (bbox !== undefined) return readBbox(bbox).parts
    if (zoneId === undefined) return undefined
    const extent = await store.extentOf(zoneId)
    return extent ? [extent] : []
  }

  return {
    /** How many pairs are in scope, up to a thousand, and the nearest of them, a few at a time. @throws 400 */
    async list({ bbox, zoneId, limit }: ConflictQuery) {
      const parts = (await partsOf(bbox, zoneId))?.map(inSpace)
      const pairs = await inTurn(() => store.pairs({ parts, zoneId }, MAX_PAIRS))
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
