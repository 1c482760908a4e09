import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'

/** Ways to get a session token. They are never retried, because codes work once. */
export const auth = (to: Connection) => ({
  /** Exchanges an identity provider's token for a session. */
  exchange: (token: string, call?: CallOptions) =>
    to.postOnce<api.ExchangeIdentityTokenData, api.IdentityExchangeAnswer>('/auth/exchange', { body: { token } }, call),
  /** Renews the client's session token. `keepSession` does this automatically. */
  renew: (call?: CallOptions) => to.postOnce<api.SyncSessionData, api.SyncAnswer>('/auth/sync', {}, call),
  /** Ends the session everywhere. */
  signOut: (call?: CallOptions) => to.postOnce<api.SignOutData, void>('/auth/sign-out', {}, call),
  /** Creates a six-digit code: for the user with a session, or for a player of the app with an app key. */
  createCode: (body: api.NewCodeInput = {}, call?: CallOptions) =>
    to.postOnce<api.CreateCodeData, api.Code>('/auth/codes', { body }, call),
  /** Exchanges a six-digit code. Check `status`: invalid codes do not throw. */
  exchangeCode: (code: string, call?: CallOptions) =>
    to.postOnce<api.ExchangeCodeData, api.CodeAnswer>('/auth/codes/exchange', { body: { code } }, call),
  /**
   * Creates a token for a player: with a server key, or with the session of the player's user. Use it as `token` of a
   * client that has a client key as `appKey`.
   */
  createPlayerToken: (body: api.NewPlayerTokenInput, call?: CallOptions) =>
    to.postOnce<api.CreatePlayerTokenData, api.PlayerToken>('/auth/player-token', { body }, call),
})
