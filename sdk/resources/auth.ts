import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'

/** Ways to a session token. None is sent a second time by itself: a code is good for one use. */
export const auth = (to: Connection) => ({
  /** Exchanges an identity provider's token. */
  exchange: (token: string, call?: CallOptions) =>
    to.postOnce<api.PostAuthExchangeData, api.IdentityExchangeAnswer>('/auth/exchange', { body: { token } }, call),
  /** Another token for the session that this client has. `keepSession` does it in time. */
  renew: (call?: CallOptions) => to.postOnce<api.PostAuthSyncData, api.SyncAnswer>('/auth/sync', {}, call),
  /** Ends the session everywhere. */
  signOut: (call?: CallOptions) => to.postOnce<api.PostAuthSignOutData, void>('/auth/sign-out', {}, call),
  /** Makes a six-digit code: with a session for its user, with an app's key for a player of that app. */
  createCode: (body: api.NewCodeInput = {}, call?: CallOptions) =>
    to.postOnce<api.PostAuthCodesData, api.Code>('/auth/codes', { body }, call),
  /** Exchanges a six-digit code. `status` says whether it was good; wrong ones are answered, not thrown. */
  exchangeCode: (code: string, call?: CallOptions) =>
    to.postOnce<api.PostAuthCodesExchangeData, api.CodeAnswer>('/auth/codes/exchange', { body: { code } }, call),
})
