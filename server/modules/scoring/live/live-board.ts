import { randomBytes } from 'node:crypto'
import { eventFrame } from '../../../platform/live/sse-frames.ts'
import { assignRanks, type RankedRow } from '../leaderboards/assign-ranks.ts'

/** A frame of an event stream, and the number of the state of the board that it leads to. */
type Step = { number: number; frame: Buffer }

/** The number of changes kept for reconnecting listeners. */
const stepsKept = 1000
/** And how many bytes, for each entry that the board shows: changes of a long board are longer. */
const bytesPerEntry = 4096

/**
 * The top of one board as its listeners know it, and what changed of late, as server-sent events (WHATWG HTML, 9.2).
 *
 * Every event has an id: the board's epoch, new with each LiveBoard, and the number of the state that the event leads to.
 * Who comes back with an id gets what it missed, as long as that is kept.
 */
export class LiveBoard {
  readonly #bytesKept: number
  readonly #epoch = randomBytes(6).toString('hex')
  #number = 0
  #rows: RankedRow[] | undefined
  #texts = new Map<string, string>()
  #steps: Step[] = []
  #bytes = 0

  /** @param limit entries at most */
  constructor(limit: number) {
    this.#bytesKept = limit * bytesPerEntry
  }

  /** Updates to the current board. @returns the frame with the changes; undefined without changes, or the first time */
  update(rows: RankedRow[]): Buffer | undefined {
    const before = this.#texts
    const isFirst = this.#rows === undefined
    this.#rows = rows
    this.#texts = new Map(rows.map((row) => [row.playerId, JSON.stringify(row)]))
    if (isFirst) return undefined
    // What neither came nor changed keeps its order, so that places and ranks follow from the rest.
    const changed = assignRanks(rows)
      .map((entry, index) => ({ ...entry, index }))
      .filter(({ playerId }) => before.get(playerId) !== this.#texts.get(playerId))
    const removed = [...before.keys()].filter((playerId) => !this.#texts.has(playerId))
    if (changed.length === 0 && removed.length === 0) return undefined
    this.#number++
    const frame = this.#frame('entries', { changed, removed })
    this.#keep({ number: this.#number, frame })
    return frame
  }

  /** What a listener must be sent first: all that it missed since the event it names, else the whole board.
   * @param name the members of a leaderboard beside its entries */
  since(eventId: string | undefined, name: object): Buffer {
    return this.#missed(eventId) ?? this.#frame('board', { ...name, leaderboard: assignRanks(this.#rows ?? []) })
  }

  #missed(eventId: string | undefined): Buffer | undefined {
    const [, epoch, digits] = /^([0-9a-f]+)-(\d{1,15})$/.exec(eventId ?? '') ?? []
    const known = Number(digits)
    const oldest = this.#number - this.#steps.length
    if (epoch !== this.#epoch || known > this.#number || known < oldest) return undefined
    return Buffer.concat(this.#steps.slice(known - oldest).map((step) => step.frame))
  }

  #frame(event: string, data: object): Buffer {
    return eventFrame({ event, id: `${this.#epoch}-${this.#number}`, data: JSON.stringify(data) })
  }

  #keep(step: Step): void {
    this.#steps.push(step)
    this.#bytes += step.frame.length
    while (this.#steps.length > stepsKept || this.#bytes > this.#bytesKept) {
      this.#bytes -= this.#steps.shift()!.frame.length
    }
  }
}
