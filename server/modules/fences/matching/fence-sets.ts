import { LRUCache } from 'lru-cache'
import { conflict } from '../../../platform/errors.ts'
import type { Outline } from '../../zones/index.ts'
import { type FenceRow, type FenceSet, fenceSet } from './fence-set.ts'

type Deps = {
  /** All fences of an app, and their version. */
  load: (appId: string) => Promise<{ version: number; rows: FenceRow[] }>
  outlinesOf: (zoneIds: number[], maxPositions: number) => Promise<Map<number, Outline> | undefined>
  /** Memory of the fences held. */
  bytes: number
}

/** Positions that the boundaries of an app's fences may have together: some 35 MB. */
const MAX_POSITIONS = 2_000_000

const EMPTY = fenceSet(0, [], new Map())

/** The fences of apps in memory, those used last, each as of a version. */
export function fenceSets({ load, outlinesOf, bytes }: Deps) {
  const held = new LRUCache<string, FenceSet>({ maxSize: bytes, sizeCalculation: (set) => set.bytes + 1000 })
  const loading = new Map<string, Promise<FenceSet>>()

  async function loadSet(appId: string): Promise<FenceSet> {
    const { version, rows } = await load(appId)
    const zones = [...new Set(rows.flatMap(({ zoneId }) => zoneId ?? []))]
    const outlines = await outlinesOf(zones, MAX_POSITIONS)
    if (!outlines)
      throw conflict(
        `The zones of this app's fences have more than ${MAX_POSITIONS.toLocaleString('en')} positions together: delete a fence, or simplify a boundary`,
      )
    const set = fenceSet(version, rows, outlines)
    held.set(appId, set)
    return set
  }

  return {
    bytes: () => held.calculatedSize,

    /**
     * The fences of an app as of a version, or later. @throws 409 if their boundaries have too many positions
     */
    async of(appId: string, version: number): Promise<FenceSet> {
      if (version === 0) return EMPTY
      for (;;) {
        const set = held.get(appId)
        if (set && set.version >= version) return set
        // What is being loaded may be older than the version.
        const under = loading.get(appId)
        if (under) {
          const loaded = await under
          if (loaded.version >= version) return loaded
          continue
        }
        const load = loadSet(appId).finally(() => loading.delete(appId))
        loading.set(appId, load)
        const loaded = await load
        if (loaded.version >= version) return loaded
      }
    },
  }
}
export type FenceSets = ReturnType<typeof fenceSets>
