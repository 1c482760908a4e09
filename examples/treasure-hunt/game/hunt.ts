import { type Cairn, CairnError, createCairn, type Player } from '@cairn/sdk'

/** A player may dig where a treasure is at most so many metres away. */
const REACH = 25
const FIRST_FINDER = 100
const LATER_FINDER = 40

/** What a player has so far, as the page shows it. */
export type Standing = { player: { id: string; displayName: string } | null; score: number; found: number[] }
export type Find = { points: number; score: number; title: string }

/** Something the player can do better; the page shows the sentence. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}

/** One round of the hunt. It lives on the game's own server because it has the app's key: who has that can write any score, and a page cannot keep it to itself. What was found is kept here as long as the round lasts; the scores are in Cairn. */
export async function openHunt(cairn: Cairn, { baseUrl, zoneId }: { baseUrl: string; zoneId: number }) {
  const round = await cairn.gameSessions.create({ name: `Hunt of ${new Date().toISOString().slice(0, 16)}` })
  const players = new Map<string, Player>()
  for await (const player of cairn.players.list()) if (player.userId) players.set(player.userId, player)
  const finders = new Map<number, string[]>()

  /** The user's id, by the session that Cairn gave to the page. @throws Refusal 401 */
  async function userOf(session: string): Promise<string> {
    try {
      return (await createCairn({ baseUrl, session }).user.get()).id
    } catch (error) {
      if (error instanceof CairnError && error.status === 401) throw new Refusal(401, 'Sign in again')
      throw error
    }
  }

  function pointsOf(finder: string, pinId: number): number {
    const place = finders.get(pinId)?.indexOf(finder) ?? -1
    return place < 0 ? 0 : place === 0 ? FIRST_FINDER : LATER_FINDER
  }

  function standing(player: Player | undefined): Standing {
    if (!player) return { player: null, score: 0, found: [] }
    const found = [...finders.keys()].filter((pinId) => pointsOf(player.id, pinId) > 0)
    const score = found.reduce((sum, pinId) => sum + pointsOf(player.id, pinId), 0)
    return { player: { id: player.id, displayName: player.displayName }, score, found }
  }

  return {
    async standingOf(session: string): Promise<Standing> {
      return standing(players.get(await userOf(session)))
    },

    /** Lets a signed-in user play, under a name that nobody else has. */
    async join(session: string, displayName: string): Promise<Standing> {
      const userId = await userOf(session)
      let player = players.get(userId)
      try {
        player ??= await cairn.players.create({ displayName, userId })
      } catch (error) {
        if (error instanceof CairnError && error.status === 409)
          throw new Refusal(409, `Somebody is called ${displayName} already: choose another name`)
        if (error instanceof CairnError && error.status === 400) throw new Refusal(400, 'Choose a name')
        throw error
      }
      players.set(userId, player)
      await cairn.gameSessions.join(round.id, player.id)
      return standing(player)
    },

    /** Digs for a treasure at the player's place. The place is what the page says: a game with prizes would not take its word. */
    async dig(session: string, { pinId, lat, lon }: { pinId: number; lat: number; lon: number }): Promise<Find> {
      const player = players.get(await userOf(session))
      if (!player) throw new Refusal(403, 'Join the hunt first')
      const near = await cairn.pins.near(lat, lon, { radius: REACH, zoneId }).all()
      const treasure = near.find(({ id }) => id === pinId)
      if (!treasure) throw new Refusal(409, `There is nothing here: come within ${REACH} metres of it`)
      const before = finders.get(pinId) ?? []
      if (before.includes(player.id)) throw new Refusal(409, 'You have this one already')
      finders.set(pinId, [...before, player.id])
      const { score } = standing(player)
      try {
        await cairn.gameSessions.join(round.id, player.id)
        await cairn.gameSessions.setScore(round.id, player.id, score)
      } catch (error) {
        finders.set(
          pinId,
          finders.get(pinId)!.filter((id) => id !== player.id),
        )
        throw error
      }
      return { points: pointsOf(player.id, pinId), score, title: treasure.title }
    },

    /** What lets a page follow the board for a minute, without the app's key. */
    async boardToken(): Promise<string> {
      return (await cairn.leaderboards.streamToken()).token
    },
  }
}
