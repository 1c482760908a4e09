import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'

/** The signed-in user. */
export const user = (to: Connection) => ({
  get: (call?: CallOptions) => to.get<api.GetApiV1UserData, api.User>('/api/v1/user', {}, call),
  /** Chooses a username. @throws CairnError 409 when it is taken */
  update: (body: api.UserChangeInput, call?: CallOptions) =>
    to.patch<api.PatchApiV1UserData, api.User>('/api/v1/user', { body }, call),
  /** Erases the user. Players keep their scores, linked to nobody. */
  delete: (call?: CallOptions) => to.delete<api.DeleteApiV1UserData>('/api/v1/user', {}, call),
  /** What the user may own, and owns of it. */
  quotas: (call?: CallOptions) => to.get<api.GetApiV1UserQuotasData, api.QuotaList>('/api/v1/user/quotas', {}, call),
  /** Everything held on the user, as a ZIP. */
  export: (call?: CallOptions) => to.blob<api.GetApiV1UserExportData>('/api/v1/user/export', {}, call),
})

/** All users: for ops to read, for admins to give roles. */
export const users = (to: Connection) => ({
  /** Oldest first. */
  list: (query?: api.GetApiV1UsersData['query'], call?: CallOptions) =>
    to.list<api.GetApiV1UsersData, api.UserList, api.UserWithRoles>(
      '/api/v1/users',
      { query },
      ({ users }) => users,
      call,
    ),
  get: (id: string, call?: CallOptions) =>
    to.get<api.GetApiV1UsersByIdData, api.UserWithRoles>('/api/v1/users/{id}', { path: { id } }, call),
  setRoles: (id: string, roles: api.RoleChangeInput['roles'], call?: CallOptions) =>
    to.put<api.PutApiV1UsersByIdRolesData, api.UserWithRoles>(
      '/api/v1/users/{id}/roles',
      { path: { id }, body: { roles } },
      call,
    ),
})

/** Who did what, when and from where: for ops. */
export const auditLog = (to: Connection) => ({
  /** Newest first. */
  list: (query?: api.GetApiV1AuditLogData['query'], call?: CallOptions) =>
    to.list<api.GetApiV1AuditLogData, api.AuditEntryList, api.AuditEntry>(
      '/api/v1/audit-log',
      { query },
      ({ entries }) => entries,
      call,
    ),
})
