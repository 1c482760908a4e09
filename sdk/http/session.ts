import type { SyncSessionData, SyncSessionResponse } from '../generated/types.gen.ts'
import { connect } from './connection.ts'
import { CairnError } from './error.ts'

export type KeptSession = {
  baseUrl: string
  /** A valid session token. */
  token: string
  /** Called with each new token. Store it in place of the previous one. */
  onRenewed?: (token: string, expiryTime: string) => void
  /** Called once when the service rejects the token. The user must sign in again. */
  onEnded?: () => void
  fetch?: typeof fetch
}

/** Creates a session that renews itself. Pass the result as `session`. After two thirds of a token's lifetime, the next call renews it first; if the service does not respond, the current token is used. */
export function keepSession({ baseUrl, token, onRenewed, onEnded, fetch }: KeptSession): () => Promise<string | null> {
  let current: string | null = token
  let dueAt = dueTime(token)
  let renewing: Promise<void> | undefined

  async function renew(old: string) {
    try {
      const connection = connect({ baseUrl, session: old, ...(fetch ? { fetch } : {}) })
      const fresh = await connection.postOnce<SyncSessionData, SyncSessionResponse>('/auth/sync', {})
      current = fresh.sessionToken
      dueAt = dueTime(current)
      onRenewed?.(current, fresh.expiryTime)
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      if (error.status === 401) {
        current = null
        onEnded?.()
      } else dueAt = Date.now() + 60_000
    }
  }

  return async () => {
    if (current !== null && Date.now() >= dueAt) {
      renewing ??= renew(current).finally(() => {
        renewing = undefined
      })
      await renewing
    }
    return current
  }
}

/** When a third of the token's lifetime is left, in ms since 1970. The claims are not verified; the service does that. */
function dueTime(token: string): number {
  const claims = token.split('.')[1] ?? ''
  const { iat, exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as {
    iat: number
    exp: number
  }
  return (iat + ((exp - iat) * 2) / 3) * 1000
}
