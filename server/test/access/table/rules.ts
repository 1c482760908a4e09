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
  call: (tenant: Tenant) => Call | Promise<Call>
}

export const apps = '/api/v1/apps'

export const key = (ok: number, stranger: number | undefined, call: Rule['call']): Rule => ({
  needs: 'appKey',
  ok,
  ...(stranger ? { stranger } : {}),
  call,
})
export const user = (ok: number, stranger: number | undefined, call: Rule['call'], limited?: number): Rule => ({
  needs: 'user',
  ok,
  ...(stranger ? { stranger } : {}),
  ...(limited ? { limited } : {}),
  call,
})
export const open = (call: Rule['call'], ok = 200): Rule => ({ needs: 'open', ok, call })
export const optional = (call: Rule['call'], rest: Partial<Rule> = {}): Rule => ({
  needs: 'optionalUser',
  ok: 200,
  ...rest,
  call,
})

export const at = (path: string, body?: unknown): Call => (body === undefined ? { path } : { path, body })
