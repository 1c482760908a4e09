import type { Role, User } from './schema.ts'

/** In the order of responses. */
export const KNOWN_ROLES: readonly Role[] = ['admin', 'ops']

/** Says why the last admin is not disabled, erased or demoted. */
export const LAST_ADMIN =
  'This is the last admin who can sign in: grant the role to another user, who has set a password, first'

/** Whether the list of admin addresses contains the address, ignoring case. */
export const isListed = (email: string | null, adminEmails: string[]): boolean =>
  email !== null && adminEmails.some((listed) => listed.toLowerCase() === email.toLowerCase())

/**
 * A user's current roles: those the issuer claims, those granted here, and admin if a listed address is bound to the
 * user. memberStore does the same in SQL for long lists.
 */
export function rolesOf(
  user: Pick<User, 'claimedRoles' | 'grantedRoles' | 'adminEmail'>,
  adminEmails: string[],
): Role[] {
  const named = new Set([...user.claimedRoles, ...user.grantedRoles])
  if (isListed(user.adminEmail, adminEmails)) named.add('admin')
  return KNOWN_ROLES.filter((role) => named.has(role))
}
