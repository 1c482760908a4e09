import { setTimeout as wait } from 'node:timers/promises'
import type { ChangeFeed } from '../../../platform/changes/feed.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { SearchRequest } from '../search/pin-conditions.ts'
import type { PinIndexStore } from './index-store.ts'
import { type IndexedResult, searchInMemory } from './memory-search.ts'
import { type PinColumns, pinColumns } from './pin-columns.ts'

/** Rows per statement: reading them blocks the event loop for a millisecond or two. */
const BATCH_ROWS = 1000
const RETRY_MS = 1000
const TOO_LARGE_MS = 600_000
/** The change feed sends this instead of IDs if very many pins changed at once. */
const ALL_PINS = '*'

type Deps = {
  store: Pick<PinIndexStore, 'pageAfter' | 'byIds'>
  changes: Pick<ChangeFeed, 'listen' | 'catchUp'>
  /** Maximum memory of the index; 0 disables it. */
  bytes: number
  log: Log
}

export type PinIndex = ReturnType<typeof pinIndex>

/**
 * Holds in memory all pins that a search can find. It is loaded from the database in the background, and the change feed keeps
 * it current. While it is loading, and for searches that would take too long, it has no answer: search the database instead.
 */
export function pinIndex({ store, changes, bytes, log }: Deps) {
  /** Undefined until all pins are loaded. */
  let pins: PinColumns | undefined
  /** Pins that changed since the load began. */
  let pending: Set<number> | undefined
  /** Identifies the current load; an earlier one sees that it is not its own, and stops. */
  let loading: object | undefined
  let loaded: Promise<void> = Promise.resolve()
  let version = 0
  let endListening: (() => void) | undefined
  const watchers = new Set<(ids: Iterable<number> | undefined) => void>()
  const notifyWatchers = (ids: Iterable<number> | undefined) => {
    version++
    for (const watcher of watchers) watcher(ids)
  }

  /** Reads these pins again. */
  async function refresh(into: PinColumns, ids: number[]): Promise<void> {
    for (let at = 0; at < ids.length; at += BATCH_ROWS) {
      const some = ids.slice(at, at + BATCH_ROWS)
      const rows = await store.byIds(some)
      notifyWatchers(some)
      for (const id of some) into.remove(id)
      for (const row of rows) into.put(row)
    }
  }

  const exceedsMemory = (one: PinColumns) => one.bytes > bytes

  async function load(token: object): Promise<void> {
    const fresh = pinColumns()
    pending = new Set()
    for (let after = 0; loading === token; ) {
      const rows = await store.pageAfter(after, BATCH_ROWS)
      for (const row of rows) fresh.put(row)
      if (exceedsMemory(fresh)) throw new TooLarge()
      if (rows.length < BATCH_ROWS) break
      after = rows.at(-1)!.id
    }
    while (pending.size > 0 && loading === token) {
      const ids: number[] = [...pending]
      pending = new Set()
      await refresh(fresh, ids)
    }
    if (loading !== token) return
    loading = undefined
    pending = undefined
    pins = fresh
    log.info({ pins: fresh.size, bytes: fresh.bytes }, 'pins are now searched in memory')
  }

  /** Discards the index and loads it again. */
  function reload(): void {
    const token = {}
    loading = token
    pins = undefined
    pending = undefined
    notifyWatchers(undefined)
    loaded = (async () => {
      while (loading === token) {
        await load(token).catch(async (error) => {
          if (loading !== token) return
          pending = undefined
          if (error instanceof TooLarge) log.warn({ bytes }, 'there are more pins than CAIRN_PIN_INDEX_BYTES holds')
          else log.warn({ err: error }, 'failed to load pins')
          await wait(error instanceof TooLarge ? TOO_LARGE_MS : RETRY_MS, undefined, { ref: false })
        })
      }
    })()
  }

  async function changed(subjects: string[]): Promise<void> {
    if (subjects.includes(ALL_PINS)) return reload()
    const ids = subjects.map(Number)
    if (!pins) {
      for (const id of ids) pending?.add(id)
      return
    }
    const current = pins
    try {
      await refresh(current, ids)
    } catch (error) {
      log.warn({ err: error }, 'failed to read changed pins')
      if (pins === current) reload()
      return
    }
    if (exceedsMemory(current)) reload()
  }

  return {
    start(): void {
      if (bytes === 0) return
      endListening = changes.listen('pin', changed, reload)
      reload()
    },

    stop(): void {
      endListening?.()
      loading = undefined
      pins = undefined
    },

    reload,
    /** Resolves when the current load has ended. */
    whenLoaded: () => loaded,
    get pins() {
      return pins
    },
    /** Increases with every change. */
    get version() {
      return version
    },

    /** Calls the watcher with the IDs of pins before they change here; undefined: all pins. @returns a function that stops this */
    watch(watcher: (ids: Iterable<number> | undefined) => void): () => void {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },

    /** @returns undefined if the database must be searched */
    search: (wanted: SearchRequest): IndexedResult[] | undefined => (pins ? searchInMemory(pins, wanted) : undefined),

    /** Resolves once searches here see everything committed before the call. */
    async caughtUp(): Promise<void> {
      if (!endListening) return
      // An index that may be out of date must not answer.
      await changes.catchUp().catch(reload)
    },
  }
}

class TooLarge extends Error {}
