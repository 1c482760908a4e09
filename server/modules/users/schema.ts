import { z } from 'zod'
import { moment } from '../../platform/schema.ts'

/** A user as it is kept. */
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
  createdAt: moment,
})
export type User = z.infer<typeof StoredUser>

/** What an issuer says of a user. */
export type NewUser = Omit<User, 'id' | 'grantedRoles' | 'adminEmail' | 'createdAt'> & {
  issuer: string
  subject: string
}
