import { type Cairn, CairnError, createCairn, type Player } from '@cairn/sdk'

/** How close, in metres, a player must be to dig for a treasure. */
const REACH = 25
const FIRST_FINDER = 100
const LATER_FINDER = 40

/** A player's progress. */
export type Standing = { player: { id: string; displayName: string } | null; score: number; found: number[] }
export type Find = { points: number; score: number; title: string }

/** An error that the player can fix. Its message is shown to the player. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}

/** One round of the hunt. It runs on the game's own server: the server key allows writing any score, and a page cannot keep it secret. Finds are kept in memory for the round; scores are in Cairn. */
export async function openHunt(cairn: Cairn, { baseUrl, zoneId }: { baseUrl: string; zoneId: number }) {
  const round = await cairn.gameSessions.create({ name: `Hunt of ${new Date().toISOString().slice(0, 16)}` })
  const players = new Map<string, Player>()
  for await (const player of cairn.players.list()) if (player.userId) players.set(player.userId, player)
  const finders = new Map<number, string[]>()

  /** The ID of the user with this session. @throws Refusal 401 */
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

    /** Adds a signed-in user as a player with a unique name. */
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

    /** Digs at the player's position. The position comes from the page; a game with prizes should not trust it. */
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
  }
}
