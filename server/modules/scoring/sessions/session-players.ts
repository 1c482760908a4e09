import type { Viewer } from '../../../platform/credentials/callers.ts'
import { conflict, forbidden, notFound } from '../../../platform/errors.ts'
import type { Page, PageQuery } from '../../../platform/http/pages.ts'
import { isId } from '../../../platform/ids.ts'
import type { GameSession, GameSessionPlayer } from '../schema.ts'
import type { Outcome } from '../scores/score-writes.ts'
import type { SessionPlayerStore } from './session-player-store.ts'

type Deps = {
  store: SessionPlayerStore
  /** @throws 404 */
  session: (appId: string, id: string) => Promise<GameSession>
  /** Takes a player out of a session, and its score out of every rank. */
  removeWithScore: (appId: string, sessionId: string, playerId: string) => Promise<Outcome>
}

/** Only server keys register players. */
const SERVER: Viewer = { seesAll: true, hiddenPlayer: undefined }

/** Registers players in game sessions, and removes them. */
export function sessionPlayerService({ store, session, removeWithScore }: Deps) {
  return {
    /**
     * Registers a player, with score 0, which does not rank until a score is written. A second time changes nothing.
     * @throws 403 for a banned player; 404 for an unknown session or player; 409 when the session is completed
     */
    async register(
      appId: string,
      sessionId: string,
      playerId: string,
    ): Promise<{ player: GameSessionPlayer; again: boolean }> {
      if (!isId(playerId)) await session(appId, sessionId)
      const outcome = isId(playerId) ? await store.register(appId, sessionId, playerId) : 'no_player'
      if (outcome === 'no_session') throw notFound('Game session')
      if (outcome === 'no_player') throw notFound('Player')
      if (outcome === 'banned') throw forbidden('This player is banned: set its standing to normal or hidden first')
      if (outcome === 'not_running') throw conflict('This game session is completed and accepts no more players')
      const player = await store.get(appId, sessionId, playerId, SERVER)
      if (!player) throw notFound('Player') // deleted in between
      return { player, again: outcome === 'again' }
    },

    /** In the order they joined. @throws 404 */
    async page(appId: string, sessionId: string, page: PageQuery, viewer: Viewer): Promise<Page<GameSessionPlayer>> {
      await session(appId, sessionId)
      return store.page(appId, sessionId, page, viewer)
    },

    /** @throws 404 for an unknown session, or a player not in it */
    async get(appId: string, sessionId: string, playerId: string, viewer: Viewer): Promise<GameSessionPlayer> {
      const player = await store.get(appId, sessionId, playerId, viewer)
      if (player) return player
      await session(appId, sessionId)
      throw notFound('Game session player')
    },

    /** In every state of the session: a wrong score can be taken out of a finished game. Resolves once every rank knows. @throws 404 */
    async remove(appId: string, sessionId: string, playerId: string): Promise<void> {
      const outcome = await removeWithScore(appId, sessionId, playerId)
      if (outcome === 'no_session') throw notFound('Game session')
      if (outcome !== 'ok') throw notFound('Game session player')
    },
  }
}
export type SessionPlayerService = ReturnType<typeof sessionPlayerService>
