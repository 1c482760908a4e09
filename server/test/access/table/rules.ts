import type { Tenant } from '../access-world.ts'

type Call = { path: string; body?: unknown; headers?: Record<string, string> }

/**
 * The credential that an operation needs, and its responses to others.
 * - `appKey`, `user`, `ops`, `admin`: without that credential 401 (ops and admin: 403 to a user without the role).
 * - `optionalUser`, `open`: no credential is needed; an invalid one, if accepted there, is 401.
 * `stranger`: the status for the same request with the valid credential of another tenant. Absent: the operation concerns
 * the caller's own data, so it succeeds.
 */
export type Rule = {
  needs: 'appKey' | 'user' | 'ops' | 'admin' | 'optionalUser' | 'open'
  ok: number
  stranger?: number
  /** The status for the owner's own session if created with a six-digit code. Absent: the same as otherwise. */
  limited?: number
  /**
   * What a client key does here: `yes`: it is as good as a server key; `no`: 403, also beside the good credential;
   * `besideSession`: it is accepted beside the session that the operation needs; `ofPlayer`: it is accepted beside the
   * token of the player that the path names; `player`: any key is accepted beside the token of a player, and no key
   * without; `unread`: the operation reads no app key. A player token may what `yes`, `ofPlayer` and `player` say.
   */
  clientKey: 'yes' | 'no' | 'besideSession' | 'ofPlayer' | 'player' | 'unread'
  call: (tenant: Tenant) => Call | Promise<Call>
}

export const apps = '/api/v1/apps'

const withKey =
  (clientKey: 'yes' | 'no' | 'ofPlayer' | 'player') =>
  (ok: number, stranger: number | undefined, call: Rule['call']): Rule => ({
    needs: 'appKey',
    clientKey,
    ok,
    ...(stranger ? { stranger } : {}),
    call,
  })
/** Needs a server key. */
export const serverKey = withKey('no')
/** Needs a server key, or a client key with the token of the player that the path names. */
export const ownPlayer = withKey('ofPlayer')
/** Needs the token of a player beside a key: the key alone is 403. */
export const asPlayer = withKey('player')
/** Needs an app key of any kind. */
export const anyKey = withKey('yes')
export const user = (ok: number, stranger: number | undefined, call: Rule['call'], limited?: number): Rule => ({
  needs: 'user',
  clientKey: 'unread',
  ok,
  ...(stranger ? { stranger } : {}),
  ...(limited ? { limited } : {}),
  call,
})
export const open = (call: Rule['call'], ok = 200): Rule => ({ needs: 'open', clientKey: 'unread', ok, call })
export const optional = (call: Rule['call'], rest: Partial<Rule> = {}): Rule => ({
  needs: 'optionalUser',
  clientKey: 'unread',
  ok: 200,
  ...rest,
  call,
})

export const at = (path: string, body?: unknown): Call => (body === undefined ? { path } : { path, body })
