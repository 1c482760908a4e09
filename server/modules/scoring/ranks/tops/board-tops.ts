import { type KeptRecords, keptRecords } from '../../../../platform/concurrency/kept-records.ts'
import type { Board } from '../memory/board-index.ts'
import { KeptTop, type TopChange, type TopText } from './kept-top.ts'

/** A player's best on a board. */
export type PlayerBest = { score: number; rankKey: number }

/** The kept tops of boards, and bests of players, in a process that learns of every write before it is answered. */
export type BoardTops = {
  /** The top of a board, or undefined while none is kept. */
  find: (appId: string, boardKey: string) => KeptTop | undefined
  /** Reads the top of a board and keeps it if its rank index is loaded. @returns what `read` returns */
  fill: <Top extends TopText>(
    appId: string,
    boardKey: string,
    read: () => Promise<Top | undefined>,
  ) => Promise<Top | undefined>
  /** A player's best on a board, kept while the rank index of the board is loaded. Otherwise it is what `read` returns. */
  best: (
    appId: string,
    boardKey: string,
    playerId: string,
    read: () => Promise<PlayerBest | undefined>,
  ) => Promise<PlayerBest | undefined>
  /** The name, the image or the user of a player may have changed. */
  playerChanged: (appId: string, playerId: string) => void
  /** Any top may have changed. */
  discardAll: () => void
}

/** A larger top is not kept: a few with much metadata would take the memory of many boards. */
const MAX_BYTES = 2 ** 21
/** Of the bests of a board: some 7,500 players. */
const MAX_BYTES_OF_BESTS = 2 ** 21
/** Measured: a best, its key, and its place among those read last. */
const BYTES_OF_BEST = 280

/**
 * The kept top of one board, and the bests of the players that were requested last. They are valid as long as the rank
 * index of the board is loaded: from then on every write to the board is applied before it is acknowledged, and no
 * statement of unknown outcome is left.
 */
export class BoardTop {
  readonly #board: Board
  /** Of the load of the index that the top was read with. */
  #epoch = -1
  #kept: KeptTop | undefined
  /** Changes that came while the top was being read. */
  #readings = new Set<TopChange[]>()
  #bests: { epoch: number; kept: KeptRecords<PlayerBest> } | undefined

  constructor(board: Board) {
    this.#board = board
  }

  /** Memory. */
  get bytes(): number {
    return (this.#kept?.bytes ?? 0) + (this.#bests?.kept.bytes() ?? 0)
  }

  /** The top, or undefined while none is kept. */
  get kept(): KeptTop | undefined {
    return this.#board.index && this.#epoch === this.#board.epoch ? this.#kept : undefined
  }

  /** Applies a committed change; call it before the write is acknowledged. */
  apply(change: TopChange): void {
    this.#kept?.apply(change)
    this.#bests?.kept.forget(change.playerId.toLowerCase())
    for (const changes of this.#readings) changes.push(change)
  }

  /** Discards the top, the bests, and what is being read. */
  discard(): void {
    this.#kept = undefined
    this.#bests = undefined
    this.#readings.clear()
  }

  /** Reads the top and keeps it, with the changes that came meanwhile. @returns what `read` returns */
  async fill<Top extends TopText>(read: () => Promise<Top | undefined>): Promise<Top | undefined> {
    if (!this.#board.index) return read()
    const { epoch } = this.#board
    const changes: TopChange[] = []
    this.#readings.add(changes)
    try {
      const top = await read()
      const isValid = this.#readings.has(changes) && this.#board.index && this.#board.epoch === epoch
      if (!top || !isValid) return top
      const kept = new KeptTop(top)
      for (const change of changes) kept.apply(change)
      this.#kept = kept.bytes > MAX_BYTES ? undefined : kept
      this.#epoch = epoch
      return top
    } finally {
      this.#readings.delete(changes)
    }
  }

  /** A player's best, from memory if it is kept. @returns what `read` returns otherwise */
  best(playerId: string, read: () => Promise<PlayerBest | undefined>): Promise<PlayerBest | undefined> {
    const { index, epoch } = this.#board
    if (!index) return read()
    if (this.#bests?.epoch !== epoch)
      this.#bests = { epoch, kept: keptRecords({ maxBytes: MAX_BYTES_OF_BESTS, bytesOf: () => BYTES_OF_BEST }) }
    return this.#bests.kept.read(playerId.toLowerCase(), read)
  }
}
