import type { PostAuthSyncData, PostAuthSyncResponse } from '../generated/types.gen.ts'
import { connect } from './connection.ts'
import { CairnError } from './error.ts'

export type KeptSession = {
  baseUrl: string
  /** A session token that is still good. */
  token: string
  /** Told each new token: keep it where you keep the first. */
  onRenewed?: (token: string, expiryTime: string) => void
  /** Told once when the service takes the token no more: the user must sign in again. */
  onEnded?: () => void
  fetch?: typeof fetch
}

/** A session that renews itself: give what this returns as `session`. When two thirds of a token's life are over, the next call first exchanges it for a fresh one; without an answer it goes on with the one it has. */
export function keepSession({ baseUrl, token, onRenewed, onEnded, fetch }: KeptSession): () => Promise<string | null> {
  let current: string | null = token
  let dueAt = dueTime(token)
  let renewing: Promise<void> | undefined

  async function renew(old: string) {
    try {
      const connection = connect({ baseUrl, session: old, ...(fetch ? { fetch } : {}) })
      const fresh = await connection.postOnce<PostAuthSyncData, PostAuthSyncResponse>('/auth/sync', {})
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

/** When a third of the token's life is left, in ms since 1970. Its claims are read, not checked: that is the service's part. */
function dueTime(token: string): number {
  const claims = token.split('.')[1] ?? ''
  const { iat, exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as {
    iat: number
    exp: number
  }
  return (iat + ((exp - iat) * 2) / 3) * 1000
}
