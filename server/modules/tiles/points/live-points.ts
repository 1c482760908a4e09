import type { ChangeFeed } from '../../../platform/changes/feed.ts'
import { unavailable } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { PointCollection } from '../collections.ts'
import type { StoredPoint, TileStore } from '../store.ts'
import { type Place, placeOf } from './mercator.ts'
import type { PackedPoints } from './packed-points.ts'
import { type PointSet, pointSet } from './point-set.ts'
import { BYTES_A_POINT, type Point, sortPoints } from './sorted-points.ts'

/** Points read at once: some 1.6 MB. */
const BATCH_ROWS = 50_000
const CHANGED_AT_ONCE = 1000
/** How long all points of a collection must stay unchanged until they are read again. */
const SETTLED_MS = 500
/** A collection whose tiles nobody requested for so long is not read again before the next request. */
const IN_USE_MS = 3_600_000
/** How long a collection that does not fit is not read again. */
const TOO_LARGE_MS = 600_000
/** The change feed sends this instead of ids if very many pins changed at once. */
const ALL = '*'
/** The topics of the change feed whose subjects are ids of points. */
const TOPICS: Record<PointCollection, string[]> = { pins: ['pin'], gcps: ['pin', 'gcp'], scans: ['scan'] }

type Deps = {
  store: Pick<TileStore, 'pageAfter' | 'byIds'>
  changes: Pick<ChangeFeed, 'listen'>
  /** The most that the points of the collection may take. */
  bytes: number
  log: Log
  /** Called with the former and new places of changed points; undefined: all may have changed. */
  onChange: (places: Place[] | undefined) => void
}

export type LivePoints = ReturnType<typeof livePoints>

/**
 * The points of a collection in memory: read when the first tile is requested, and kept current by the change feed. After a
 * change of very many, those in use are read again at once, so that the next tile need not wait for a million rows.
 */
export function livePoints(collection: PointCollection, { store, changes, bytes, log, onChange }: Deps) {
  const names = keysOfIds()
  /** The run that reads all points, and the ids of those that changed meanwhile. */
  let run: { pending: Set<string>; done: Promise<PointSet> } | undefined
  let current: PointSet | undefined
  let endings: (() => void)[] = []
  let requestedAt = Number.NEGATIVE_INFINITY
  let readingAgain: NodeJS.Timeout | undefined

  const pointOf = ({ id, latitude, longitude }: StoredPoint): Point | undefined => {
    const place = placeOf(latitude, longitude)
    return place && { key: names.keyOf(id), ...place }
  }

  async function load(isMine: (now: typeof run) => boolean): Promise<PointSet> {
    const points = flatPoints()
    let next: Promise<PackedPoints> | undefined = store.pageAfter(collection, undefined, BATCH_ROWS)
    while (next) {
      const page: PackedPoints = await next
      // The database packs the next page while this one is placed.
      next = page.count < BATCH_ROWS ? undefined : store.pageAfter(collection, page.lastId, BATCH_ROWS)
      next?.catch(() => {})
      page.forEach((id, latitude, longitude) => {
        const place = placeOf(latitude, longitude)
        if (place) points.add(names.keyOf(id), place)
      })
      points.endPage()
      if (points.count * BYTES_A_POINT > bytes) throw new TooLarge()
    }
    const set = pointSet(await sortPoints(points.all(), points.count))
    while (run && isMine(run) && run.pending.size > 0) {
      const ids = [...run.pending]
      run.pending.clear()
      await refresh(set, ids)
    }
    if (isMine(run)) current = set
    return set
  }

  async function refresh(set: PointSet, ids: string[]): Promise<Place[]> {
    const places: Place[] = []
    for (let at = 0; at < ids.length; at += CHANGED_AT_ONCE) {
      const some = ids.slice(at, at + CHANGED_AT_ONCE)
      const found = new Map((await store.byIds(collection, some)).map((row) => [row.id, pointOf(row)]))
      for (const id of some) {
        const after = found.get(id)
        const before = set.put(names.keyOf(id), after)
        places.push(...[before, after].filter((one) => one !== undefined))
      }
    }
    return places
  }

  /** Forgets all points. They are read again for the next tile, and before if the collection is in use. */
  function forget(): void {
    run = undefined
    current = undefined
    onChange(undefined)
    clearTimeout(readingAgain)
    if (performance.now() - requestedAt > IN_USE_MS) return
    const again = () => read().catch((err) => log.warn({ err, collection }, 'failed to read points for tiles'))
    readingAgain = setTimeout(again, SETTLED_MS).unref()
  }

  function read(): Promise<PointSet> {
    run ??= start()
    return run.done
  }

  async function changed(subjects: string[]): Promise<void> {
    if (subjects.includes(ALL)) return forget()
    if (!current) {
      for (const id of subjects) run?.pending.add(id)
      return
    }
    try {
      onChange(await refresh(current, subjects))
    } catch (error) {
      log.warn({ err: error, collection }, 'failed to read changed points for tiles')
      forget()
    }
  }

  return {
    /** The points, once they are read. @throws 503 if they do not fit */
    async ready(): Promise<PointSet> {
      requestedAt = performance.now()
      if (current) return current
      if (endings.length === 0) endings = TOPICS[collection].map((topic) => changes.listen(topic, changed, forget))
      return read()
    },
    idOf: names.idOf,
    get bytes() {
      return current?.bytes ?? 0
    },
    stop() {
      clearTimeout(readingAgain)
      for (const end of endings) end()
      endings = []
    },
  }

  function start(): NonNullable<typeof run> {
    const pending = new Set<string>()
    const isMine = (now: typeof run) => now?.pending === pending
    const done = load(isMine).catch((error) => {
      const again = () => {
        if (isMine(run)) run = undefined
      }
      if (!(error instanceof TooLarge)) {
        again()
        throw error
      }
      log.warn({ collection, bytes }, 'there are more points than CAIRN_TILE_BYTES holds')
      setTimeout(again, TOO_LARGE_MS).unref()
      throw unavailable(
        'This collection has more points than the service keeps for tiles: raise CAIRN_TILE_BYTES',
        TOO_LARGE_MS / 1000,
      )
    })
    return { pending, done }
  }
}

class TooLarge extends Error {}

/** Points as numbers, page by page: objects of a million points would take longer to collect than to sort. */
function flatPoints() {
  const pages: Float64Array[] = []
  let page: number[] = []
  return {
    get count() {
      return pages.reduce((sum, { length }) => sum + length / 3, page.length / 3)
    },
    add(key: number, { x, y }: Place) {
      page.push(key, x, y)
    },
    endPage() {
      pages.push(Float64Array.from(page))
      page = []
    },
    *all(): Generator<Point> {
      for (const numbers of pages)
        for (let at = 0; at < numbers.length; at += 3)
          yield { key: numbers[at]!, x: numbers[at + 1]!, y: numbers[at + 2]! }
    },
  }
}

/** Numbers that stand for ids: the ids themselves if they are numbers. */
function keysOfIds() {
  const keys = new Map<string, number>()
  const ids: string[] = []
  const isNumber = (id: string) => /^\d+$/.test(id)
  return {
    keyOf(id: string | number): number {
      if (typeof id === 'number') return id
      if (isNumber(id)) return Number(id)
      const known = keys.get(id)
      if (known !== undefined) return known
      ids.push(id)
      keys.set(id, ids.length)
      return ids.length
    },
    idOf: (key: number): string => ids[key - 1] ?? String(key),
  }
}
