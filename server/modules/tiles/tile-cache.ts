import { LRUCache } from 'lru-cache'
import { type Place, type TileAt, tileOf } from './points/mercator.ts'
import { MAX_ZOOM } from './schema.ts'
import type { Tile } from './vector-tile.ts'

const OVERHEAD = 200
const keyOf = ({ z, x, y }: TileAt): string => `${z}/${x}/${y}`

/** The finished tiles of a collection, until something in them changes. */
export function tileCache(bytes: number) {
  const kept = new LRUCache<string, Tile>({ maxSize: bytes, sizeCalculation: (tile) => tile.bytes.length + OVERHEAD })
  const making = new Map<string, Promise<Tile>>()
  /** Increases with every change. A tile that was begun before one may lack it. */
  let changes = 0

  return {
    get: (tile: TileAt): Tile | undefined => kept.get(keyOf(tile)),

    /** Makes a tile and keeps it, unless something changes meanwhile. Concurrent callers share the work. */
    make(tile: TileAt, work: () => Promise<Tile>): Promise<Tile> {
      const key = keyOf(tile)
      const before = `${key} ${changes}`
      const running = making.get(before)
      if (running) return running
      const begun = changes
      const run = work()
        .then((made) => {
          if (begun === changes) kept.set(key, made)
          return made
        })
        .finally(() => making.delete(before))
      making.set(before, run)
      return run
    },

    /** Forgets the tiles that hold one of some places; without places, all tiles. */
    forget(places: Place[] | undefined): void {
      if (places?.length === 0) return
      changes++
      if (!places) kept.clear()
      for (const place of places ?? []) for (let z = 0; z <= MAX_ZOOM; z++) kept.delete(keyOf(tileOf(place, z)))
    },

    get bytes() {
      return kept.calculatedSize
    },
  }
}
