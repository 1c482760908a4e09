import type { FastifyPluginAsync } from 'fastify'
import type { Guards } from '../../platform/credentials/guards.ts'
import { PLAYER_TOKEN } from '../../platform/live/record-stream.ts'
import type { Streams } from '../../platform/live/streams.ts'
import type { Platform } from '../../platform/platform.ts'
import { playerTokenRoutes } from './routes.ts'
import { playerTokenService } from './service.ts'
import { playerTokenStore } from './store.ts'

/** Tokens with which a game on a player's device acts for that player alone. */
export function createPlayerTokenModule(
  { database, tokens }: Platform,
  { streams }: { streams: Pick<Streams, 'endWith'> },
) {
  const service = playerTokenService({ store: playerTokenStore(database.kysely), tokens: tokens.ofPlayers })
  streams.endWith(PLAYER_TOKEN, service.left)
  return {
    find: service.find,
    routes:
      (guards: Guards): FastifyPluginAsync =>
      async (app) => {
        await app.register(playerTokenRoutes({ service, guards }))
      },
  }
}
