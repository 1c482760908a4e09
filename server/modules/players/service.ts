import { conflict, forbidden, invalid, notFound } from '../../platform/errors.ts'
import { isId } from '../../platform/ids.ts'
import type { GlobalRanking, Player, PlayerChange, PlayerWithRankings } from './schema.ts'
import type { PlayerStore } from './store.ts'

type Parts = {
  store: PlayerStore
  newId: () => string
  userExists: (id: string) => Promise<boolean>
  globalRankings: (appId: string, playerId: string) => Promise<GlobalRanking[]>
}

export type PlayerService = ReturnType<typeof playerService>

export function playerService({ store, newId, userExists, globalRankings }: Parts) {
  const taken = (name: string) => conflict(`This app already has a player named "${name}"`)

  const checkUser = async (userId: string | null | undefined) => {
    if (userId !== null && userId !== undefined && !(isId(userId) && (await userExists(userId))))
      throw invalid([{ code: 'custom', message: 'There is no such user', path: ['userId'] }])
  }

  return {
    /** @throws 409 when the app already has a player of that name; 400 when there is no such user. */
    async create(appId: string, player: PlayerChange): Promise<Player> {
      await checkUser(player.userId)
      const created = await store.insert(appId, newId(), player)
      if (!created) throw taken(player.displayName)
      return created
    },

    /** @throws 404 */
    async get(app: { id: string }, id: string): Promise<Player> {
      const player = await store.get(app.id, id)
      if (!player) throw notFound('Player')
      return player
    },

    /** The player with a ranking for each type it has a written score of. @throws 404 */
    async getWithRankings(app: { id: string; name: string }, id: string): Promise<PlayerWithRankings> {
      const player = await this.get(app, id)
      return { ...player, globalRankings: await globalRankings(app.id, id), appName: app.name }
    },

    /** @throws 403 for a player of another app, 404, 409 when the name is taken. */
    async update(appId: string, id: string, change: PlayerChange): Promise<Player> {
      if (!(await store.get(appId, id))) {
        if (await store.existsElsewhere(appId, id)) throw forbidden('This player belongs to another app')
        throw notFound('Player')
      }
      await checkUser(change.userId)
      const updated = await store.update(appId, id, change)
      if (updated === 'taken') throw taken(change.displayName)
      if (!updated) throw notFound('Player')
      return updated
    },
  }
}
