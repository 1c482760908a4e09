import type { ChangeFeed } from '../../platform/changes/feed.ts'
import { createConcurrencyLimiter } from '../../platform/concurrency/concurrency-limiter.ts'
import { unavailable } from '../../platform/errors.ts'
import type { Log } from '../../platform/logging/log.ts'
import { pointCollectionIds, type TileCollection, tileCollectionIds } from './collections.ts'
import { livePoints } from './points/live-points.ts'
import type { TileAt } from './points/mercator.ts'
import { pointTiles } from './points/point-tiles.ts'
import type { TileStore } from './store.ts'
import { tileCache } from './tile-cache.ts'
import { encodeTile, type Tile, type TileFeature } from './vector-tile.ts'
import { zoneTiles } from './zones/zone-tiles.ts'

/** Finished tiles kept for each collection. */
const CACHE_BYTES = 16 * 2 ** 20
const AT_ONCE = 4
const MAX_WAITING = 200

type Deps = { store: TileStore; changes: Pick<ChangeFeed, 'listen'>; bytes: number; log: Log }

export type TileService = ReturnType<typeof tileService>

/** Tiles of all collections: from the cache, or made of what is in memory and the database. */
export function tileService({ store, changes, bytes, log }: Deps) {
  const limited = createConcurrencyLimiter({
    maxConcurrent: AT_ONCE,
    maxWaiting: MAX_WAITING,
    full: () => unavailable('Too many tiles are waiting to be made: try again soon', 2),
  })
  const caches = Object.fromEntries(tileCollectionIds.map((id) => [id, tileCache(CACHE_BYTES)])) as Record<
    TileCollection,
    ReturnType<typeof tileCache>
  >
  const points = pointCollectionIds.map((id) => {
    const live = livePoints(id, { store, changes, bytes, log, onChange: caches[id].forget })
    return { id, live, featuresOf: pointTiles({ collection: id, live, store }) }
  })
  const makers = {
    ...Object.fromEntries(points.map(({ id, featuresOf }) => [id, featuresOf])),
    zones: zoneTiles({ store }),
  } as Record<TileCollection, (tile: TileAt) => Promise<TileFeature[]>>
  const forgetZones = () => caches.zones.forget(undefined)
  const ends = [changes.listen('zone', forgetZones, forgetZones)]

  return {
    /** A tile of a collection. @param sender whose turn it is if it must be made @throws 503 if too many wait */
    tile(collection: TileCollection, at: TileAt, sender: string): Promise<Tile> | Tile {
      const cache = caches[collection]
      return (
        cache.get(at) ??
        cache.make(at, () => limited(async () => encodeTile(collection, await makers[collection](at)), { sender }))
      )
    },
    /** Memory of points and finished tiles. */
    get bytes() {
      const held = points.reduce((sum, { live }) => sum + live.bytes, 0)
      return held + tileCollectionIds.reduce((sum, id) => sum + caches[id].bytes, 0)
    },
    stop(): void {
      for (const { live } of points) live.stop()
      for (const end of ends) end()
    },
  }
}
