import { forbidden } from '../errors.ts'
import type { UserCaller } from './callers.ts'
import { hasOpsAccess, isAdmin } from './guards.ts'

/** Roles of the service: ops and admin. Those of an app's members are in app-roles.ts. @throws 403 */
export function assertHasOps(user: UserCaller) {
  if (!hasOpsAccess(user)) throw forbidden('This requires ops or admin')
}

/** @throws 403 */
export function assertIsAdmin(user: UserCaller) {
  if (!isAdmin(user)) throw forbidden('This requires admin')
}
