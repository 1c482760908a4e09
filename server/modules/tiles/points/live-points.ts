import type { ChangeFeed } from '../../../platform/changes/feed.ts'
import { unavailable } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { PointCollection } from '../collections.ts'
import type { StoredPoint, TileStore } from '../store.ts'
import { type Place, placeOf } from './mercator.ts'
import { type PointSet, pointSet } from './point-set.ts'
import { BYTES_A_POINT, type Point, sortPoints } from './sorted-points.ts'

const BATCH_ROWS = 10_000
const CHANGED_AT_ONCE = 1000
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

/** The points of a collection in memory: read when the first tile is requested, and kept current by the change feed. */
export function livePoints(collection: PointCollection, { store, changes, bytes, log, onChange }: Deps) {
  const names = keysOfIds()
  /** The run that reads all points, and the ids of those that changed meanwhile. */
  let run: { pending: Set<string>; done: Promise<PointSet> } | undefined
  let current: PointSet | undefined
  let endings: (() => void)[] = []

  const pointOf = ({ id, latitude, longitude }: StoredPoint): Point | undefined => {
    const place = placeOf(latitude, longitude)
    return place && { key: names.keyOf(id), ...place }
  }

  async function load(isMine: (now: typeof run) => boolean): Promise<PointSet> {
    const points: Point[] = []
    for (let after: string | undefined; ; ) {
      const rows: StoredPoint[] = await store.pageAfter(collection, after, BATCH_ROWS)
      for (const row of rows) {
        const point = pointOf(row)
        if (point) points.push(point)
      }
      if (points.length * BYTES_A_POINT > bytes) throw new TooLarge()
      if (rows.length < BATCH_ROWS) break
      after = rows.at(-1)!.id
    }
    const set = pointSet(await sortPoints(points, points.length))
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

  /** Forgets all points; the next tile reads them again. */
  function forget(): void {
    run = undefined
    current = undefined
    onChange(undefined)
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
      log.warn({ err: error, collection }, 'changed points could not be read for tiles')
      forget()
    }
  }

  return {
    /** The points, once they are read. @throws 503 if they do not fit */
    async ready(): Promise<PointSet> {
      if (current) return current
      if (endings.length === 0) endings = TOPICS[collection].map((topic) => changes.listen(topic, changed, forget))
      run ??= start()
      return run.done
    },
    idOf: names.idOf,
    get bytes() {
      return current?.bytes ?? 0
    },
    stop() {
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

/** Numbers that stand for ids: the ids themselves if they are numbers. */
function keysOfIds() {
  const keys = new Map<string, number>()
  const ids: string[] = []
  const isNumber = (id: string) => /^\d+$/.test(id)
  return {
    keyOf(id: string): number {
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
