/**
 * Source of ranks without counting rows: the index in memory, or in Redis. Undefined means unavailable, and the caller uses
 * SQL; a request starts a missing load. Results are plain values if available at once.
 */
export type RankProvider = {
  /** For each rank key, the number of better players of a board, counted at one moment; at most all but one. */
  above: (appId: string, boardKey: string, keys: readonly number[]) => MaybeAsync<number[]>
  /** The number of ranked players of a board. */
  size: (appId: string, boardKey: string) => MaybeAsync<number>
}

/** A committed change of a player's best score: between rank keys (null: none), in transaction `xid`. */
export type BoardChange = {
  appId: string
  /** The key of a mini game type for its board of all time; a period has its own. */
  boardKey: string
  playerId: string
  from: number | null
  to: number | null
  xid: number
  /** Increments with each change of this player's best score on this board. */
  version: number
}

/** Keeps ranks beside the database, from the writes reported to it. Returns a promise only if it must wait. */
export type RankKeeper = RankProvider & {
  /** Called before a score is written. @throws if the database is unavailable */
  ready: () => undefined | Promise<unknown>
  /** Applies a committed write, before the write is acknowledged. */
  apply: (changes: BoardChange[]) => undefined | Promise<void>
  /** Invalidates all boards of these apps: a write of unknown outcome may have changed any of them. */
  unload: (appIds: Iterable<string>) => undefined | Promise<void>
  /** Invalidates all boards. */
  unloadAll: () => void
  /** Removes a board that was deleted. */
  discard: (appId: string, boardKey: string) => undefined | Promise<void>
  /** Removes the boards of a deleted app. */
  forget: (appId: string) => void
}

type MaybeAsync<T> = T | undefined | Promise<T | undefined>
