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
type State = Place & { score: number; scoredAt: number; writtenAt: number; n: number | undefined }
/** `mode`: what counts, and the order of equal scores unless the first is above, as the column score_mode. */
export type TypeRules = { ascending: boolean; mode: string }

export class PastModel {
  #events: ScoreEvent[] = []
  /** Times in milliseconds during which something was removed, by clocks around it. */
  readonly removals: [from: number, to: number][] = []

  readonly rulesOf: (type: string) => TypeRules

  constructor(rulesOf: (type: string) => TypeRules) {
    this.rulesOf = rulesOf
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
        states.set(place, { type, sessionId, playerId, score, scoredAt, writtenAt: at, n })
      }
    }
    const { ascending, mode } = this.rulesOf(type)
    const [counting, ties] = mode.split(' ') as ['best' | 'latest' | 'sum', string?]
    const tieOrder = ties === 'last' ? -1 : ties === 'none' ? 0 : 1
    const sign = ascending ? -1 : 1
    const before = (a: State, b: State) => sign * (b.score - a.score) || a.scoredAt - b.scoredAt
    /** Which of two scores of a player an entry shows; of a sum, the one that completed it. */
    const precedes = {
      best: before,
      latest: (a: State, b: State) => b.writtenAt - a.writtenAt || a.scoredAt - b.scoredAt,
      sum: (a: State, b: State) =>
        Math.sign(Math.abs(b.score)) - Math.sign(Math.abs(a.score)) ||
        (a.score === 0 ? a.scoredAt - b.scoredAt : b.scoredAt - a.scoredAt),
    }[counting]
    const players = Map.groupBy(states.values(), ({ playerId }) => playerId)
    const entries = [...players.values()].map((of) => {
      const [shown] = of.sort((a, b) => precedes(a, b) || (a.sessionId < b.sessionId ? -1 : 1)) as [State]
      return counting === 'sum' ? { ...shown, score: of.reduce((total, { score }) => total + score, 0) } : shown
    })
    const onBoard = (a: State, b: State) => sign * (b.score - a.score) || tieOrder * (a.scoredAt - b.scoredAt)
    const all = entries.sort((a, b) => onBoard(a, b) || (a.playerId < b.playerId ? -1 : 1))
    return all.map(({ playerId, score, sessionId, n }) => ({
      playerId,
      playerScore: score,
      gameSessionId: sessionId,
      ranking: 1 + all.filter((other) => sign * (other.score - score) > 0).length,
      n,
    }))
  }
}
