import type { Role, User } from './schema.ts'

const KNOWN: readonly Role[] = ['admin', 'ops']

/** Whether an address is one of the administrators' list, whatever its case. */
export const isListed = (email: string | null, adminEmails: string[]): boolean =>
  email !== null && adminEmails.some((listed) => listed.toLowerCase() === email.toLowerCase())

/** The roles a user has now: those its issuer claims, those granted here, and admin by a listed address that is bound to it. */
export function rolesOf(
  user: Pick<User, 'claimedRoles' | 'grantedRoles' | 'adminEmail'>,
  adminEmails: string[],
): Role[] {
  const named = new Set([...user.claimedRoles, ...user.grantedRoles])
  if (isListed(user.adminEmail, adminEmails)) named.add('admin')
  return KNOWN.filter((role) => named.has(role))
}
