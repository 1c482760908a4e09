/** A simple model of what scores were, with which the property test compares boards at past times. Times are in microseconds. */
type Place = { sessionId: string; playerId: string; type: string }
/** A write, or a removal of a player from a session. */
export type ScoreEvent = Place & { at: number; score: number | null; n?: number | undefined }
export type PastEntry = {
  playerId: string
  playerScore: number
  gameSessionId: string
  ranking: number
  n: number | undefined
}
type State = Place & { score: number; scoredAt: number; n: number | undefined }

export class PastModel {
  #events: ScoreEvent[] = []
  /** Times in milliseconds during which something was removed, by clocks around it. */
  readonly removals: [from: number, to: number][] = []

  readonly ascending: Set<string>

  /** @param ascending the types in which lower is better */
  constructor(ascending: Set<string>) {
    this.ascending = ascending
  }

  add(...events: ScoreEvent[]): void {
    this.#events.push(...events)
  }

  /** A deleted player leaves the past too. */
  forget(playerId: string): void {
    this.#events = this.#events.filter((event) => event.playerId !== playerId)
  }

  /** All events of one session and type as they are now. */
  placesOf(sessionId: string): Place[] {
    const places = new Map<string, Place>()
    for (const event of this.#events) if (event.sessionId === sessionId) places.set(event.playerId, event)
    return [...places.values()]
  }

  /** The board of a type at the end of a millisecond: every score is looked at. */
  board(type: string, ms: number): PastEntry[] {
    const states = new Map<string, State>()
    const past = this.#events.filter((event) => event.type === type && event.at < (ms + 1) * 1000)
    for (const { sessionId, playerId, at, score, n } of past.toSorted((a, b) => a.at - b.at)) {
      const place = `${sessionId} ${playerId}`
      const before = states.get(place)
      if (score === null) states.delete(place)
      else {
        const scoredAt = before && before.score === score ? before.scoredAt : at
        states.set(place, { type, sessionId, playerId, score, scoredAt, n })
      }
    }
    const sign = this.ascending.has(type) ? -1 : 1
    const before = (a: State, b: State) => sign * (b.score - a.score) || a.scoredAt - b.scoredAt
    const bests = new Map<string, State>()
    for (const state of states.values()) {
      const best = bests.get(state.playerId)
      const order = best ? before(state, best) || (state.sessionId < best.sessionId ? -1 : 1) : -1
      if (order < 0) bests.set(state.playerId, state)
    }
    const all = [...bests.values()].sort((a, b) => before(a, b) || (a.playerId < b.playerId ? -1 : 1))
    return all.map(({ playerId, score, sessionId, n }) => ({
      playerId,
      playerScore: score,
      gameSessionId: sessionId,
      ranking: 1 + all.filter((other) => sign * (other.score - score) > 0).length,
      n,
    }))
  }
}
