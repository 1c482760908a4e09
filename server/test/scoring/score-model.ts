/** A simple model of scoring, with which the property test compares the service. */
type Place = { score: number; at: number | undefined }
type Session = { id: string; type: string | null; isRunning: boolean; places: Map<string, Place> }
type Best = { playerId: string; score: number; at: number; sessionId: string }
export type Expected = { playerId: string; playerScore: number; ranking: number; gameSessionId: string }

export class ScoreModel {
  /** By ID, in order of creation, which is the order of IDs. */
  readonly sessions = new Map<string, Session>()
  readonly players: string[] = []
  /** Types in which lower is better. */
  readonly ascending = new Set<string>()
  #moment = 0

  addSession(id: string, type: string | null): void {
    this.sessions.set(id, { id, type, isRunning: true, places: new Map() })
  }

  register(sessionId: string, playerId: string): void {
    const { places } = this.sessions.get(sessionId)!
    if (!places.has(playerId)) places.set(playerId, { score: 0, at: undefined })
  }

  /** @returns the expected status of writing the score */
  write(sessionId: string, playerId: string, score: number): 200 | 404 | 409 {
    const session = this.sessions.get(sessionId)!
    const place = session.places.get(playerId)
    if (!session.isRunning) return 409
    if (!place) return 404
    this.#moment++
    // The time of a score is when its value was reached.
    if (place.at === undefined || place.score !== score) place.at = this.#moment
    place.score = score + 0 // −0 is stored as 0
    return 200
  }

  removePlayer(playerId: string): void {
    this.players.splice(this.players.indexOf(playerId), 1)
    for (const { places } of this.sessions.values()) places.delete(playerId)
  }

  /** One entry a player: the best session of this type, or the places of one session. */
  board(type: string | null, sessionId?: string): Expected[] {
    const better = (a: number, b: number) => (type !== null && this.ascending.has(type) ? a < b : a > b)
    const bests = new Map<string, Best>()
    for (const session of this.sessions.values()) {
      if (session.type !== type || (sessionId !== undefined && session.id !== sessionId)) continue
      for (const [playerId, { score, at }] of session.places) {
        if (at === undefined) continue
        const best = bests.get(playerId)
        if (!best || better(score, best.score) || (score === best.score && at < best.at))
          bests.set(playerId, { playerId, score, at, sessionId: session.id })
      }
    }
    const all = [...bests.values()]
    const before = (a: Best, b: Best) => better(a.score, b.score) || (a.score === b.score && a.at < b.at)
    return all
      .sort((a, b) => (before(a, b) ? -1 : 1))
      .map(({ playerId, score, sessionId }) => ({
        playerId,
        playerScore: score,
        ranking: 1 + all.filter((other) => better(other.score, score)).length,
        gameSessionId: sessionId,
      }))
  }
}
