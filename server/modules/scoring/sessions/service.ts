import { conflict, notFound } from '../../../platform/errors.ts'
import type { Page, PageQuery } from '../../../platform/http/pages.ts'
import type { GameSession, GameSessionChange, NewGameSession, SessionFilter } from '../schema.ts'
import type { GameTypes } from '../types/service.ts'
import { defaultGame } from '../types/store.ts'
import type { SessionStore } from './store.ts'

type Deps = {
  store: SessionStore
  types: GameTypes
  newId: () => string
  /** Deletes a session with its scores, also from ranks. A missing session is no error. */
  deleteWithScores: (appId: string, id: string) => Promise<void>
}

/** The rules of game sessions. */
export function sessionService({ store, types, newId, deleteWithScores }: Deps) {
  /** @throws 404 */
  async function get(appId: string, id: string): Promise<GameSession> {
    const session = await store.get(appId, id)
    if (!session) throw notFound('Game session')
    return session
  }

  return {
    get,

    /** Newest first. @throws 404 for an unknown type, 400 when id and name disagree */
    async page(
      appId: string,
      { status, search, ...choice }: SessionFilter,
      page: PageQuery,
    ): Promise<Page<GameSession>> {
      const type = await types.choose(appId, choice)
      return store.page(appId, { status, search, typeKey: type?.id }, page)
    },

    /** Creates a session, without a type one of the default game. @throws 404 for an unknown type, 400 if ID and name disagree */
    async create(appId: string, session: NewGameSession): Promise<GameSession> {
      const type = await types.choose(appId, session)
      const id = newId()
      await store.insert(appId, id, type?.id ?? defaultGame, session)
      return get(appId, id)
    },

    /** @throws 404; 409 if the session is completed, and the change asks for another status */
    async update(appId: string, id: string, change: GameSessionChange): Promise<GameSession> {
      if ((await store.update(appId, id, change)) === 'completed_already') {
        throw conflict('This game session is completed, which is final: create a new one')
      }
      return get(appId, id)
    },

    /** Deletes a session; its players keep their best of other sessions. Resolves once all ranks include it. @throws 404 */
    async remove(appId: string, id: string): Promise<void> {
      await get(appId, id)
      await deleteWithScores(appId, id)
    },
  }
}
export type SessionService = ReturnType<typeof sessionService>
