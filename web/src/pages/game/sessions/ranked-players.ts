import type { Cairn, GameSessionPlayer, LeaderboardEntry, Page } from '@cairn/sdk'

/** A player of a session. The rank is missing without a score that counts. */
export type SessionPlayer = Pick<
  GameSessionPlayer,
  'playerId' | 'displayName' | 'imageUrl' | 'score' | 'createdAt' | 'updatedAt'
> & { ranking?: number }

/** The players of a session: first its leaderboard, with the ranks of the service, then those without a rank, as they joined. */
export function rankedPlayers(cairn: Cairn, sessionId: string) {
  async function* pages(): AsyncGenerator<Page<SessionPlayer>, void, undefined> {
    const { total } = await cairn.gameSessions.players(sessionId, { limit: 1 }).first()
    const ranked = new Set<string>()
    for await (const { items, next } of cairn.leaderboards.ofSession(sessionId, { limit: 100 }).pages()) {
      for (const { playerId } of items) ranked.add(playerId)
      // Those without a rank begin on the last page of the leaderboard.
      if (next !== null) yield { items: items.map(playerOf), next, total }
      else yield* others(items.map(playerOf), ranked, total)
    }
  }

  async function* others(last: SessionPlayer[], ranked: Set<string>, total: number | null) {
    let before = last
    for await (const { items, next } of cairn.gameSessions.players(sessionId, { limit: 100 }).pages()) {
      before.push(...items.filter(({ playerId }) => !ranked.has(playerId)))
      if (next !== null && before.length === 0) continue
      yield { items: before, next, total }
      before = []
    }
  }
  return { pages }
}

const playerOf = ({ playerDisplayName, playerImageUrl, playerScore, ...rest }: LeaderboardEntry): SessionPlayer => ({
  ...rest,
  displayName: playerDisplayName,
  imageUrl: playerImageUrl,
  score: playerScore,
})

/** Players in an order of their IDs, new ones last; as they are without one. */
export function inOrder(players: SessionPlayer[], ids: string[] | undefined): SessionPlayer[] {
  if (!ids) return players
  const places = new Map(ids.map((id, place) => [id, place]))
  const placeOf = ({ playerId }: SessionPlayer) => places.get(playerId) ?? ids.length
  return players.toSorted((a, b) => placeOf(a) - placeOf(b))
}
