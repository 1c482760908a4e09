import { isVisible, parseSnapshot, type Snapshot } from '../snapshot.ts'
import type { RankIndex } from './rank-index.ts'

/** One player's best score moved between rank keys (null: none), in transaction `xid`. */
export type Change = { from: number | null; to: number | null; xid: number }
/** The rank keys of a board, and the snapshot they were read in. */
export type Loaded = { snapshot: string; index: RankIndex }

type State =
  | { name: 'unloaded' }
  | { name: 'loading'; buffer: Change[]; done: Promise<boolean> }
  | { name: 'loaded'; index: RankIndex; snapshot: Snapshot }

/**
 * The rank index of one board, kept consistent with the table.
 *
 * Unloaded: drops changes, because any later snapshot sees them. Loading: queues changes. Loaded: applies a change unless
 * the snapshot of the load has seen it, because its response may be processed later. `unload` increments the epoch, and a
 * load whose epoch has changed discards its result.
 */
export class Board {
  #state: State = { name: 'unloaded' }
  #epoch = 0
  #watchers = new Set<(change: Change) => void>()

  /** Increments with every unload. */
  get epoch(): number {
    return this.#epoch
  }

  /** The index if it is loaded. Valid until the next await. */
  get index(): RankIndex | undefined {
    return this.#state.name === 'loaded' ? this.#state.index : undefined
  }

  /** Applies a committed change; call it before the write is acknowledged. */
  apply(change: Change): void {
    if (this.#state.name === 'loading') this.#state.buffer.push(change)
    else if (this.#state.name === 'loaded' && !isVisible(this.#state.snapshot, change.xid)) {
      this.#state.index.move(change.from, change.to)
      for (const watch of this.#watchers) watch(change)
    }
  }

  /** Discards the index. Required whenever the outcome of a write is unknown. */
  unload(): void {
    this.#epoch++
    this.#state = { name: 'unloaded' }
  }

  /**
   * Loads the index unless it is loaded; concurrent callers share one load.
   * @param read must begin its snapshot after all statements of unknown outcome have ended on the server; may return
   * undefined once the board was unloaded
   * @returns whether the index is loaded; false if the board was unloaded meanwhile
   */
  load(read: () => Promise<Loaded | undefined>): Promise<boolean> {
    if (this.#state.name === 'loaded') return Promise.resolve(true)
    if (this.#state.name === 'loading') return this.#state.done
    const buffer: Change[] = []
    const { promise: done, resolve, reject } = Promise.withResolvers<boolean>()
    this.#state = { name: 'loading', buffer, done }
    this.#loadNow(read, buffer).then(resolve, reject)
    return done
  }

  /** Calls `watch` with every applied change. @returns a function that removes it */
  watch(watch: (change: Change) => void): () => void {
    this.#watchers.add(watch)
    return () => this.#watchers.delete(watch)
  }

  async #loadNow(read: () => Promise<Loaded | undefined>, buffer: Change[]): Promise<boolean> {
    const epoch = this.#epoch
    try {
      const loaded = await read()
      if (epoch !== this.#epoch || !loaded) return false
      const { snapshot: text, index } = loaded
      // No await from here to the end, so that no change is missed.
      const snapshot = parseSnapshot(text)
      for (const change of buffer) if (!isVisible(snapshot, change.xid)) index.move(change.from, change.to)
      this.#state = { name: 'loaded', index, snapshot }
      return true
    } catch (error) {
      if (epoch === this.#epoch) this.unload()
      throw error
    }
  }
}
