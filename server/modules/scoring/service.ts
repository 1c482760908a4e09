import { conflict, notFound } from '../../platform/errors.ts'
import { isId } from '../../platform/ids.ts'
import type { GameTypes } from './game-types.ts'
import type {
  GameSession,
  GameSessionChange,
  GameSessionPlayer,
  NewGameSession,
  SessionStatus,
  TypeChoice,
} from './schema.ts'
import type { SessionStore } from './store.ts'
import { defaultGame } from './type-store.ts'

/** The rules of game sessions and of who plays in them. */
export function sessionService({
  store,
  types,
  newId,
}: {
  store: SessionStore
  types: GameTypes
  newId: () => string
}) {
  /** @throws 404 */
  async function get(appId: string, id: string): Promise<GameSession> {
    const session = await store.get(appId, id)
    if (!session) throw notFound('Game session')
    return session
  }

  return {
    get,

    /** Newest first. @throws 404 for an unknown type, 400 when id and name disagree */
    async list(appId: string, { status, ...choice }: TypeChoice & { status?: SessionStatus }): Promise<GameSession[]> {
      const type = await types.choose(appId, choice)
      return store.list(appId, { status, typeKey: type?.id })
    },

    /** Without a type it is a session of the default game. @throws 404 for an unknown type, 400 when id and name disagree */
    async create(appId: string, session: NewGameSession): Promise<GameSession> {
      const type = await types.choose(appId, session)
      const id = newId()
      await store.insert(appId, id, type?.id ?? defaultGame, session)
      return get(appId, id)
    },

    /** @throws 404; 409 when a completed session is asked to be something else */
    async change(appId: string, id: string, change: GameSessionChange): Promise<GameSession> {
      if ((await store.change(appId, id, change)) === 'completed_already') {
        throw conflict('This game session is completed, which is final: create a new one')
      }
      return get(appId, id)
    },

    /**
     * Registers a player, with score 0, which does not rank until a score is written. A second time changes nothing.
     * @throws 404 for an unknown session or player; 409 when the session is completed
     */
    async register(
      appId: string,
      sessionId: string,
      playerId: string,
    ): Promise<{ player: GameSessionPlayer; again: boolean }> {
      const outcome = isId(playerId)
        ? await store.register(appId, sessionId, playerId)
        : await noPlayer(appId, sessionId)
      if (outcome === 'no_session') throw notFound('Game session')
      if (outcome === 'no_player') throw notFound('Player')
      if (outcome === 'not_running') throw conflict('This game session is completed and takes no more players')
      const player = await store.player(appId, sessionId, playerId)
      if (!player) throw notFound('Player') // deleted in between
      return { player, again: outcome === 'again' }
    },

    /** In the order they joined. @throws 404 */
    async players(appId: string, sessionId: string): Promise<GameSessionPlayer[]> {
      await get(appId, sessionId)
      return store.players(appId, sessionId)
    },
  }

  async function noPlayer(appId: string, sessionId: string) {
    await get(appId, sessionId)
    return 'no_player' as const
  }
}
export type SessionService = ReturnType<typeof sessionService>
