import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'

/** The signed-in user. */
export const user = (to: Connection) => ({
  get: (call?: CallOptions) => to.get<api.GetCurrentUserData, api.User>('/api/v1/user', {}, call),
  /** Sets the username. @throws CairnError 409 if it is taken */
  update: (body: api.UserChangeInput, call?: CallOptions) =>
    to.patch<api.UpdateCurrentUserData, api.User>('/api/v1/user', { body }, call),
  /** Deletes the user. Their players keep their scores, without a linked user. */
  delete: (call?: CallOptions) => to.delete<api.DeleteCurrentUserData>('/api/v1/user', {}, call),
  /** The user's quotas and usage. */
  quotas: (call?: CallOptions) => to.get<api.ListQuotasData, api.QuotaList>('/api/v1/user/quotas', {}, call),
  /** Tokens with which programs that cannot sign in, such as QGIS, act for the user. */
  tokens: {
    list: (call?: CallOptions) =>
      to.get<api.ListPersonalTokensData, api.PersonalTokenList>('/api/v1/user/tokens', {}, call),
    /** Only this response contains the token. @throws CairnError 409 if the user has 20 */
    create: (body: api.NewPersonalTokenInput, call?: CallOptions) =>
      to.postOnce<api.CreatePersonalTokenData, api.CreatedPersonalToken>('/api/v1/user/tokens', { body }, call),
    delete: (id: string, call?: CallOptions) =>
      to.delete<api.DeletePersonalTokenData>('/api/v1/user/tokens/{id}', { path: { id } }, call),
  },
  /** Changes the password and ends the other sessions. @throws CairnError 400 for a wrong current password, 409 without a local account */
  changePassword: (body: api.PasswordChangeInput, call?: CallOptions) =>
    to.put<api.ChangePasswordData, void>('/api/v1/user/password', { body }, call),
  /** All data of the user, as a ZIP. */
  export: (call?: CallOptions) => to.blob<api.ExportUserDataData>('/api/v1/user/export', {}, call),
})

/** All users. Readable by ops; admins can set roles. */
export const users = (to: Connection) => ({
  /** Oldest first. */
  list: (query?: api.ListUsersData['query'], call?: CallOptions) =>
    to.list<api.ListUsersData, api.UserList, api.UserWithRoles>('/api/v1/users', { query }, ({ users }) => users, call),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetUserData, api.UserWithRoles>('/api/v1/users/{id}', { path: { id } }, call),
  setRoles: (id: string, roles: api.RoleChangeInput['roles'], call?: CallOptions) =>
    to.put<api.SetUserRolesData, api.UserWithRoles>(
      '/api/v1/users/{id}/roles',
      { path: { id }, body: { roles } },
      call,
    ),
})

/** Local accounts, with a password on this Cairn. For ops, and those of admins for admins. */
export const accounts = (to: Connection) => ({
  /** Oldest first. */
  list: (query?: api.ListAccountsData['query'], call?: CallOptions) =>
    to.list<api.ListAccountsData, api.LocalAccountList, api.LocalAccount>(
      '/api/v1/accounts',
      { query },
      ({ accounts }) => accounts,
      call,
    ),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetAccountData, api.LocalAccount>('/api/v1/accounts/{id}', { path: { id } }, call),
  /** Only this response has the link with which its owner sets a password. @throws CairnError 409 if the login is taken */
  create: (body: api.NewLocalAccountInput, call?: CallOptions) =>
    to.postOnce<api.CreateAccountData, api.CreatedLocalAccount>('/api/v1/accounts', { body }, call),
  /** Disables or enables the account. Disabling ends its sessions. */
  update: (id: string, body: api.LocalAccountChangeInput, call?: CallOptions) =>
    to.patch<api.UpdateAccountData, api.LocalAccount>('/api/v1/accounts/{id}', { path: { id }, body }, call),
  /** A link that sets a password, in place of the one before. Only this response has it. */
  createLink: (id: string, call?: CallOptions) =>
    to.postOnce<api.CreateAccountLinkData, api.AccountLink>('/api/v1/accounts/{id}/link', { path: { id } }, call),
  /** Deletes the account and its user. @throws CairnError 409 for the caller, the last admin, and the only owner of an app */
  delete: (id: string, call?: CallOptions) =>
    to.delete<api.DeleteAccountData>('/api/v1/accounts/{id}', { path: { id } }, call),
})

/** The audit log. Requires the ops role. */
export const auditLog = (to: Connection) => ({
  /** Newest first. */
  list: (query?: api.ListAuditEntriesData['query'], call?: CallOptions) =>
    to.list<api.ListAuditEntriesData, api.AuditEntryList, api.AuditEntry>(
      '/api/v1/audit-log',
      { query },
      ({ entries }) => entries,
      call,
    ),
})
