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

/** The fences of an app as of a version; undefined if their boundaries have too many positions. */
type Held = { version: number; set: FenceSet | undefined }

/** The fences of apps in memory, those used last, each as of a version. */
export function fenceSets({ load, outlinesOf, bytes }: Deps) {
  const held = new LRUCache<string, Held>({ maxSize: bytes, sizeCalculation: ({ set }) => (set?.bytes ?? 0) + 1000 })
  const loading = new Map<string, Promise<Held>>()

  async function loadSet(appId: string): Promise<Held> {
    const { version, rows } = await load(appId)
    const zones = [...new Set(rows.flatMap(({ zoneId }) => zoneId ?? []))]
    const outlines = await outlinesOf(zones, MAX_POSITIONS)
    const loaded = { version, set: outlines && fenceSet(version, rows, outlines) }
    held.set(appId, loaded)
    return loaded
  }

  /** What is held as of a version or later. One load of an app at a time; it may turn out older than the version. */
  async function asOf(appId: string, version: number): Promise<Held> {
    for (;;) {
      const known = held.get(appId)
      if (known && known.version >= version) return known
      const load = loading.get(appId) ?? loadSet(appId).finally(() => loading.delete(appId))
      loading.set(appId, load)
      const loaded = await load
      if (loaded.version >= version) return loaded
    }
  }

  return {
    bytes: () => held.calculatedSize,

    /**
     * The fences of an app as of a version, or later. @throws 409 if their boundaries have too many positions
     */
    async of(appId: string, version: number): Promise<FenceSet> {
      if (version === 0) return fenceSet(0, [], new Map())
      const { set } = await asOf(appId, version)
      if (set) return set
      throw conflict(
        `The zones of this app's fences have more than ${MAX_POSITIONS.toLocaleString('en')} positions together: delete a fence, or simplify a boundary`,
      )
    },
  }
}
export type FenceSets = ReturnType<typeof fenceSets>
