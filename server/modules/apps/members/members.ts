import { createHash, randomBytes } from 'node:crypto'
import { type AppRole, assertIncludes } from '../../../platform/credentials/app-roles.ts'
import type { AppUser, UserCaller } from '../../../platform/credentials/callers.ts'
import type { Actor } from '../../../platform/database/audit.ts'
import { notFound } from '../../../platform/errors.ts'
import type { AppService } from '../service.ts'
import type { InvitationStore } from './invitation-store.ts'
import type { AcceptedInvitation, AppInvitation, AppInvitationWithToken, AppMember } from './member-schema.ts'
import type { MemberStore } from './member-store.ts'

export type MemberService = ReturnType<typeof memberService>

type Deps = {
  members: MemberStore
  invitations: InvitationStore
  apps: Pick<AppService, 'assertRole'>
  newId: () => string
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** The members of an app, and the invitations to become one. Only owners grant and remove the role `owner`. */
export function memberService({ members, invitations, apps, newId }: Deps) {
  const assertMayGive = (role: AppRole, own: AppRole) => {
    if (role === 'owner') assertIncludes(own, 'owner')
  }

  return {
    /** By the time at which they became members. @throws 403, 404 */
    async list(appId: string, user: AppUser): Promise<AppMember[]> {
      await apps.assertRole(appId, user)
      return members.list(appId)
    },

    /** @throws 403; 404 for an unknown user; 409 for a member, and beyond 100 members */
    async add(
      appId: string,
      user: AppUser,
      added: { userId: string; role: AppRole },
      actor: Actor,
    ): Promise<AppMember> {
      assertMayGive(added.role, await apps.assertRole(appId, user))
      await members.add({ appId, ...added }, actor)
      return this.get(appId, added.userId)
    },

    async get(appId: string, userId: string): Promise<AppMember> {
      const member = await members.get(appId, userId)
      if (!member) throw notFound('Member')
      return member
    },

    /** @throws 403, 404; 409 for the only owner */
    async change(appId: string, user: AppUser, userId: string, role: AppRole, actor: Actor): Promise<AppMember> {
      const own = await apps.assertRole(appId, user)
      assertMayGive(role, own)
      await members.change(appId, userId, role, (before) => assertMayGive(before, own), actor)
      return this.get(appId, userId)
    },

    /** Removes a member, or lets the caller leave. @throws 403, 404; 409 for the only owner */
    async remove(appId: string, user: AppUser, userId: string, actor: Actor): Promise<void> {
      const own = await apps.assertRole(appId, user)
      if (userId !== user.id) assertIncludes(own, 'admin')
      await members.change(appId, userId, null, (before) => assertMayGive(before, own), actor)
    },

    /** Oldest first. @throws 403, 404 */
    async invitations(appId: string, user: AppUser): Promise<AppInvitation[]> {
      await apps.assertRole(appId, user)
      return invitations.list(appId)
    },

    /** Only this response contains the token. @throws 403, 404; 409 beyond 50 pending invitations */
    async invite(appId: string, user: AppUser, role: AppRole, actor: Actor): Promise<AppInvitationWithToken> {
      assertMayGive(role, await apps.assertRole(appId, user))
      const token = randomBytes(32).toString('base64url')
      const invitation = { id: newId(), appId, role, invitedBy: user.id, hash: hashOf(token) }
      return { ...(await invitations.add(invitation, actor)), token }
    },

    /** @throws 403, 404 */
    async revoke(appId: string, user: AppUser, id: string, actor: Actor): Promise<void> {
      await apps.assertRole(appId, user)
      if (!(await invitations.remove(appId, id, actor))) throw notFound('Invitation')
    },

    /** Makes the caller a member. @throws 404 unless the invitation is pending; 409 for a member */
    accept: (token: string, user: UserCaller, actor: Actor): Promise<AcceptedInvitation> =>
      invitations.accept(hashOf(token), user.id, actor),
  }
}
