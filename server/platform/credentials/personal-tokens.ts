import type { FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the operation takes personal tokens. If not, a request with one is 403. */
    personalToken?: boolean
  }
}

/** `read`: GET, HEAD and OPTIONS only. `write`: all methods. */
export type TokenScope = 'read' | 'write'

/** By which a personal token is distinguished from a session token, and found by secret scanners. */
export const PERSONAL_TOKEN_PREFIX = 'cairn_user_'

export const isPersonalToken = (token: string): boolean => token.startsWith(PERSONAL_TOKEN_PREFIX)

const READS = ['GET', 'HEAD', 'OPTIONS']

/** Whether a request with a personal token may call its operation: the one place of this rule. @throws 403 */
export function assertTokenMayCall(request: FastifyRequest, scope: TokenScope): void {
  if (!request.routeOptions.config.personalToken)
    throw forbidden('A personal token cannot do this: sign in, and send a session token')
  if (scope === 'read' && !READS.includes(request.method))
    throw forbidden('This personal token can only read: create one with the scope write')
}
