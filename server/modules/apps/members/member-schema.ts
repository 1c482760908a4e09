import { z } from 'zod'
import { timestamp } from '../../../platform/schema.ts'
import { AppRole } from '../schema.ts'

/** Bounds of an app; docs/limits.md states them. */
export const MAX_MEMBERS = 100
export const MAX_INVITATIONS = 50

export const AppMember = z
  .object({
    userId: z.uuid(),
    role: AppRole,
    createdAt: timestamp.describe('When the user became a member'),
  })
  .meta({ id: 'AppMember' })
export type AppMember = z.infer<typeof AppMember>

export const AppMemberList = z.object({ members: z.array(AppMember) }).meta({ id: 'AppMemberList' })

export const NewAppMember = z.object({ userId: z.uuid(), role: AppRole }).meta({ id: 'NewAppMember' })
export const AppMemberChange = z.object({ role: AppRole }).meta({ id: 'AppMemberChange' })

const AppInvitation = z.object({
  id: z.uuid(),
  role: AppRole,
  invitedBy: z.uuid().describe('The member who invited'),
  createdAt: timestamp,
  expiresAt: timestamp.describe('Seven days after the creation'),
})
export type AppInvitation = z.infer<typeof AppInvitation>

export const AppInvitationList = z.object({ invitations: z.array(AppInvitation) }).meta({ id: 'AppInvitationList' })

export const NewAppInvitation = z.object({ role: AppRole }).meta({ id: 'NewAppInvitation' })

export const AppInvitationWithToken = AppInvitation.extend({
  token: z.string().describe('Accepts the invitation once. Only this response contains it'),
}).meta({ id: 'AppInvitationWithToken' })
export type AppInvitationWithToken = z.infer<typeof AppInvitationWithToken>

export const InvitationToken = z.object({ token: z.string().min(1).max(100) }).meta({ id: 'InvitationToken' })

export const AcceptedInvitation = z.object({ appId: z.uuid(), role: AppRole }).meta({ id: 'AcceptedInvitation' })
export type AcceptedInvitation = z.infer<typeof AcceptedInvitation>
