import type { FastifyContextConfig } from 'fastify'
import { forbidden } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a client key may call the operation. Without it, the operation takes server keys only. */
    clientKey?: true
  }
}

/** `server`: all rights of its app. `client`: may ship in a game, and calls only operations that say so. */
export type KeyKind = 'server' | 'client'

/** Whether a key of this kind may call an operation: the one place of this rule. */
export const mayCall = (kind: KeyKind, config: FastifyContextConfig | undefined): boolean =>
  kind === 'server' || config?.clientKey === true

/** @throws 403 for a client key, unless the operation takes it */
export function assertMayCall(kind: KeyKind, config: FastifyContextConfig | undefined): void {
  if (!mayCall(kind, config))
    throw forbidden(
      'This is a client key, which only reads boards and players and exchanges codes: call this from your server, with a server key',
    )
}
