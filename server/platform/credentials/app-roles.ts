import type { FastifyContextConfig } from 'fastify'
import { forbidden } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The least role that a member of the app needs for the operation. Without it, a read needs `viewer` and a write
     * `developer`.
     */
    appRole?: AppRole
    /** Takes no session of a member: a stream lasts longer than a role is known to. */
    keyOnly?: boolean
  }
}

/** The roles of an app's members. Each may do what the ones before it may. */
export const APP_ROLES = ['viewer', 'moderator', 'developer', 'admin', 'owner'] as const
export type AppRole = (typeof APP_ROLES)[number]

export const includesRole = (role: AppRole, needed: AppRole): boolean =>
  APP_ROLES.indexOf(role) >= APP_ROLES.indexOf(needed)

/** The least role that a member needs for an operation in an app: the one place of this rule. */
export function leastRoleOf(method: string | string[], config: FastifyContextConfig | undefined): AppRole {
  const reads = [method].flat().every((one) => one === 'GET' || one === 'HEAD')
  return config?.appRole ?? (reads ? 'viewer' : 'developer')
}

/** @throws 403 for a member whose role does not include the needed one */
export function assertIncludes(role: AppRole, needed: AppRole): void {
  if (!includesRole(role, needed))
    throw forbidden(`Your role in this app is ${role}, and this needs ${needed}: ask an owner or admin of the app`)
}
