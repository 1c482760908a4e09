import type { FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether a client key may call the operation: always; only beside a session token; only beside the token of the
     * player that a parameter of the path names; or, with `player`, only beside the token of the player who acts, which a
     * server key needs too. Without it, the operation takes server keys only.
     */
    clientKey?: ClientKeyUse
  }
}

export type ClientKeyUse = true | 'besideSession' | 'player' | { ofPlayer: 'id' | 'playerId' }

/** `server`: all rights of its app. `client`: may ship inside a game, and calls only operations that say so. */
export type KeyKind = 'server' | 'client'

/** What a request carries: the kind of its key, and what is beside it. */
type Credentials = { kind: KeyKind; playerId: string | undefined; hasSession: boolean }

/**
 * Whether a request with an app key may call its operation: the one place of this rule. Beside a player token, a request
 * has the rights of that player, whatever its key. @throws 403
 */
export function assertMayCall(request: FastifyRequest, { kind, playerId, hasSession }: Credentials): void {
  const use = request.routeOptions.config.clientKey
  if (playerId !== undefined) {
    if (use === true || use === 'player') return
    if (typeof use !== 'object') throw forbidden('A player token does not allow this: call it without one')
    const named = (request.params as Record<string, string>)[use.ofPlayer]
    if (named !== playerId) throw forbidden('This is the token of another player')
    return
  }
  if (use === 'player')
    throw forbidden('Send the token of the player beside the key: Authorization: Bearer <player token>')
  if (kind === 'server' || use === true || (use === 'besideSession' && hasSession)) return
  if (use === 'besideSession')
    throw forbidden(
      'This is a client key: send the session token of the player’s user beside it, or a server key instead',
    )
  if (hasSession && use === undefined)
    throw forbidden('This is a client key, which does not allow this: leave the key out, or send a server key instead')
  throw forbidden(
    typeof use === 'object'
      ? 'This is a client key: send the token of this player beside it, or a server key instead'
      : 'This is a client key, which only reads boards and players and exchanges codes: call this from your server, with a server key',
  )
}
