import { parseSnapshot, type Snapshot, sees } from '../snapshot.ts'
import type { RankIndex } from './rank-index.ts'

/** One player's best moved from a rank key to another (null: has none), in transaction `xid`. */
export type Change = { from: number | null; to: number | null; xid: number }
/** The rank keys of a board, and the snapshot they were read in. */
export type Loaded = { snapshot: string; index: RankIndex }

type State =
  | { name: 'unloaded' }
  | { name: 'loading'; buffer: Change[]; done: Promise<boolean> }
  | { name: 'loaded'; index: RankIndex; snapshot: Snapshot }

/**
 * The rank index of one board and how it comes to agree with the table.
 *
 * Unloaded: changes are dropped, for any later snapshot sees them. Loading: changes are kept back. Loaded: a change is
 * applied unless the snapshot of the load has seen it, for its answer may be handled later than that. `unload` raises the
 * epoch, and a load that finds another epoch than it began with throws its result away.
 */
export class Board {
  #state: State = { name: 'unloaded' }
  #epoch = 0
  #watchers = new Set<(change: Change) => void>()

  /** One more with every unload. */
  get epoch(): number {
    return this.#epoch
  }

  /** The index while it can be trusted. Valid until the next await. */
  get index(): RankIndex | undefined {
    return this.#state.name === 'loaded' ? this.#state.index : undefined
  }

  /** Takes in a change whose transaction has committed; call it before the write is acknowledged. */
  apply(change: Change): void {
    if (this.#state.name === 'loading') this.#state.buffer.push(change)
    else if (this.#state.name === 'loaded' && !sees(this.#state.snapshot, change.xid)) {
      this.#state.index.move(change.from, change.to)
      for (const watch of this.#watchers) watch(change)
    }
  }

  /** Forgets the index. Needed whenever a write may have happened whose outcome is not known. */
  unload(): void {
    this.#epoch++
    this.#state = { name: 'unloaded' }
  }

  /**
   * Loads the index unless it is loaded; callers at the same time share one load.
   * @param read must begin its snapshot after every statement of unknown outcome has ended on the server
   * @returns whether the index is loaded now; false when the board was unloaded meanwhile
   */
  load(read: () => Promise<Loaded>): Promise<boolean> {
    if (this.#state.name === 'loaded') return Promise.resolve(true)
    if (this.#state.name === 'loading') return this.#state.done
    const buffer: Change[] = []
    const { promise: done, resolve, reject } = Promise.withResolvers<boolean>()
    this.#state = { name: 'loading', buffer, done }
    this.#loadNow(read, buffer).then(resolve, reject)
    return done
  }

  /** Calls `watch` with every change that is applied. @returns the function that ends it */
  watch(watch: (change: Change) => void): () => void {
    this.#watchers.add(watch)
    return () => this.#watchers.delete(watch)
  }

  async #loadNow(read: () => Promise<Loaded>, buffer: Change[]): Promise<boolean> {
    const epoch = this.#epoch
    try {
      const { snapshot: text, index } = await read()
      if (epoch !== this.#epoch) return false
      // from here to the end nothing awaits, so that no change slips between
      const snapshot = parseSnapshot(text)
      for (const change of buffer) if (!sees(snapshot, change.xid)) index.move(change.from, change.to)
      this.#state = { name: 'loaded', index, snapshot }
      return true
    } catch (error) {
      if (epoch === this.#epoch) this.unload()
      throw error
    }
  }
}
