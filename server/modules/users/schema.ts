import { z } from 'zod'
import { chosenName, QuotaUse, timestamp } from '../../platform/schema.ts'

/** A user as stored. */
const StoredUser = z.object({
  id: z.uuid(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  username: z.string().nullable(),
  imageUrl: z.string().nullable(),
  claimedRoles: z.array(z.string()),
  grantedRoles: z.array(z.string()),
  adminEmail: z.string().nullable(),
  /** Cannot sign in, and nothing of the user's is accepted. */
  disabled: z.boolean(),
  createdAt: timestamp,
})
export type User = z.infer<typeof StoredUser>

/** What an issuer claims about a user. */
export type NewUser = Omit<User, 'id' | 'grantedRoles' | 'adminEmail' | 'disabled' | 'createdAt'> & {
  issuer: string
  subject: string
}

/** A user as presented. */
export const Profile = StoredUser.omit({
  claimedRoles: true,
  grantedRoles: true,
  adminEmail: true,
  disabled: true,
}).meta({
  id: 'User',
})
export type Profile = z.infer<typeof Profile>

export const ProfileChange = z
  .object({
    username: chosenName.meta({
      minLength: 1,
      maxLength: 255,
      description:
        'Unique, ignoring case; leading and trailing spaces are removed. Control characters, invisible ones and ones that change the direction of text return 400',
    }),
  })
  .meta({ id: 'UserChange' })

export const Role = z.enum(['admin', 'ops'])
export type Role = z.infer<typeof Role>

export const Member = Profile.extend({
  roles: z
    .array(Role)
    .describe("In effect: granted here, claimed by the user's issuer, or given to a configured address"),
}).meta({ id: 'UserWithRoles' })
export type Member = z.infer<typeof Member>

export const MemberList = z.object({ users: z.array(Member) }).meta({ id: 'UserList' })

export const RoleChange = z
  .object({ roles: z.array(Role).max(10).describe('Replaces the roles granted before') })
  .meta({ id: 'RoleChange' })

export const QuotaList = z.object({ quotas: z.array(QuotaUse) }).meta({ id: 'QuotaList' })
