import { type Generated, sql } from 'kysely'

/** The table `users`, as the stores of this module read and write it. */
export type UsersTable = {
  id: string
  issuer: string
  subject: string
  email: string | null
  first_name: string | null
  last_name: string | null
  phone_number: string | null
  username: string | null
  username_key: string | null
  image_url: string | null
  claimed_roles: string[]
  claims_end: Generated<string>
  granted_roles: string[]
  admin_email: string | null
  disabled_at: string | null
  created_at: string
}

/** The columns of a `User`. Claims of an identity provider count until they expire. */
export const userColumns = [
  'id',
  'email',
  'first_name as firstName',
  'last_name as lastName',
  'phone_number as phoneNumber',
  'username',
  'image_url as imageUrl',
  sql<string[]>`case when claims_end > now() then claimed_roles else '{}' end`.as('claimedRoles'),
  'granted_roles as grantedRoles',
  'admin_email as adminEmail',
  sql<boolean>`disabled_at is not null`.as('disabled'),
  'created_at as createdAt',
] as const
