import { setTimeout as wait } from 'node:timers/promises'
import type { ChangeFeed } from '../../../platform/changes/feed.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Wanted } from '../search/pin-conditions.ts'
import type { PinIndexStore } from './index-store.ts'
import { type IndexedResult, searchInMemory } from './memory-search.ts'
import { type HeldPins, pinColumnStore } from './pin-columns.ts'

/** Rows a statement: a millisecond or two of this process, between which it answers. */
const ROWS = 1000
const RETRY_MS = 1000
const TOO_LARGE_MS = 600_000
/** What the change feed has instead of IDs if very many pins changed at once. */
const ALL = '*'

type Deps = {
  store: Pick<PinIndexStore, 'after' | 'byIds'>
  changes: Pick<ChangeFeed, 'listen' | 'catchUp'>
  /** Memory for it at most; 0: there is none. */
  bytes: number
  log: Log
}

export type PinIndex = ReturnType<typeof pinIndex>

/**
 * All pins that a search may find, in this process, as they were a moment ago: loaded from the database in the background and
 * kept current by the change feed. While it is not whole, or where it would take too long, it finds nothing out, and the
 * database is asked.
 */
export function pinIndex({ store, changes, bytes, log }: Deps) {
  /** Undefined: not whole. */
  let pins: HeldPins | undefined
  /** What changed since the reading of all of them began. */
  let pending: Set<number> | undefined
  /** Tells one loading from those before it. */
  let loading: object | undefined
  let loaded: Promise<void> = Promise.resolve()
  let version = 0
  let endListening: (() => void) | undefined
  const watchers = new Set<(ids: Iterable<number> | undefined) => void>()
  const notifyCaughtUp = (ids: Iterable<number> | undefined) => {
    version++
    for (const watcher of watchers) watcher(ids)
  }

  /** Makes some pins what the database has. */
  async function refresh(into: HeldPins, ids: number[]): Promise<void> {
    for (let at = 0; at < ids.length; at += ROWS) {
      const some = ids.slice(at, at + ROWS)
      const rows = await store.byIds(some)
      notifyCaughtUp(some)
      for (const id of some) into.remove(id)
      for (const row of rows) into.put(row)
    }
  }

  const isTooLarge = (one: HeldPins) => one.bytes > bytes

  async function load(own: object): Promise<void> {
    const fresh = pinColumnStore()
    pending = new Set()
    for (let after = 0; loading === own; ) {
      const rows = await store.after(after, ROWS)
      for (const row of rows) fresh.put(row)
      if (isTooLarge(fresh)) throw new TooLarge()
      if (rows.length < ROWS) break
      after = rows.at(-1)!.id
    }
    while (pending.size > 0 && loading === own) {
      const ids: number[] = [...pending]
      pending = new Set()
      await refresh(fresh, ids)
    }
    if (loading !== own) return
    loading = undefined
    pending = undefined
    pins = fresh
    log.info({ pins: fresh.size, bytes: fresh.bytes }, 'pins are searched in memory')
  }

  /** Begins from nothing. */
  function reload(): void {
    const own = {}
    loading = own
    pins = undefined
    pending = undefined
    notifyCaughtUp(undefined)
    loaded = (async () => {
      while (loading === own) {
        await load(own).catch(async (error) => {
          if (loading !== own) return
          pending = undefined
          if (error instanceof TooLarge) log.warn({ bytes }, 'there are more pins than CAIRN_PIN_INDEX_BYTES holds')
          else log.warn({ err: error }, 'pins could not be loaded')
          await wait(error instanceof TooLarge ? TOO_LARGE_MS : RETRY_MS, undefined, { ref: false })
        })
      }
    })()
  }

  async function changed(subjects: string[]): Promise<void> {
    if (subjects.includes(ALL)) return reload()
    const ids = subjects.map(Number)
    if (!pins) {
      for (const id of ids) pending?.add(id)
      return
    }
    const current = pins
    try {
      await refresh(current, ids)
    } catch (error) {
      log.warn({ err: error }, 'changed pins could not be read')
      if (pins === current) reload()
      return
    }
    if (isTooLarge(current)) reload()
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
    /** Resolves when the loading that is under way is over. */
    whole: () => loaded,
    get pins() {
      return pins
    },
    /** Goes up with every change. */
    get version() {
      return version
    },

    /** Hears the ids of pins that are about to change here; undefined: all of them. @returns what ends it */
    watch(watcher: (ids: Iterable<number> | undefined) => void): () => void {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },

    /** @returns undefined when the database is to be asked */
    search: (wanted: Wanted): IndexedResult[] | undefined => (pins ? searchInMemory(pins, wanted) : undefined),

    /** Resolves once searches here see all that was committed before the call. */
    async caughtUp(): Promise<void> {
      if (!endListening) return
      // What is not known to be current is not asked.
      await changes.catchUp().catch(reload)
    },
  }
}

class TooLarge extends Error {}
