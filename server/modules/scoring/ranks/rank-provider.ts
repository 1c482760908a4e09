/**
 * What knows ranks without counting rows: the index in memory, or the one in Redis. Undefined stands for "cannot say now",
 * and SQL must answer; to be asked makes it load what it lacks. Answers are plain values where they are at hand.
 */
export type RankProvider = {
  /** How many players of a board are better than each of the rank keys, all counted at one moment; at most all but one. */
  above: (appId: string, typeKey: string, keys: readonly number[]) => MaybeAsync<number[]>
  /** How many players a board ranks. */
  size: (appId: string, typeKey: string) => MaybeAsync<number>
}

/** A committed change of one player's best: from a rank key to another (null: has none), in transaction `xid`. */
export type BoardChange = {
  appId: string
  typeKey: string
  playerId: string
  from: number | null
  to: number | null
  xid: number
  /** One more with each change of this player's best on this board. */
  version: number
}

/** Keeps ranks beside the database, and is told what is written there. Without a promise it is done at once. */
export type RankKeeper = RankProvider & {
  /** Before a score is written. @throws when the database cannot be asked */
  ready: () => undefined | Promise<unknown>
  /** Takes in what a committed write did, before the write is acknowledged. */
  apply: (changes: BoardChange[]) => undefined | Promise<void>
  /** No board of these apps counts any more: a write of unknown outcome may have touched any of them. */
  unload: (appIds: Iterable<string>) => undefined | Promise<void>
  /** No board at all counts any more. */
  unloadAll: () => void
  /** An app is gone. */
  forget: (appId: string) => void
}

type MaybeAsync<T> = T | undefined | Promise<T | undefined>
