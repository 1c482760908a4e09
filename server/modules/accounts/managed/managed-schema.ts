import { z } from 'zod'
import { listCursor, listLimit, timestamp } from '../../../platform/schema.ts'
import { Role } from '../../users/schema.ts'

export const LocalAccount = z
  .object({
    id: z.uuid().describe("The user's ID"),
    login: z.string(),
    email: z.string().nullable(),
    username: z.string().nullable(),
    roles: z.array(Role),
    state: z
      .enum(['active', 'invited', 'disabled'])
      .describe('`invited`: has no password yet. `disabled`: cannot sign in, and has no session'),
    lockedUntil: timestamp.nullable().describe('Set while sign-ins are refused after too many failed ones'),
    lastSignInAt: timestamp
      .nullable()
      .describe('`null` if none is known: a sign-in is forgotten 30 days after its session has ended'),
    linkExpiresAt: timestamp.nullable().describe('Set while a link to set a password is valid'),
    createdAt: timestamp,
  })
  .meta({ id: 'LocalAccount' })
export type LocalAccount = z.infer<typeof LocalAccount>

export const LocalAccountList = z.object({ accounts: z.array(LocalAccount) }).meta({ id: 'LocalAccountList' })

export const AccountQuery = z.object({
  limit: listLimit(100, 1000),
  cursor: listCursor,
  query: z
    .string()
    .trim()
    .max(255)
    .optional()
    .describe('Part of the login, username or email address; case-insensitive'),
})

export const NewLocalAccount = z
  .object({
    login: z.string().max(1000).describe('1 to 100 characters. Unique, ignoring case; not changed later'),
    email: z.email().max(254).optional(),
    roles: z.array(Role).max(10).default([]).describe('Only admins can grant roles'),
  })
  .meta({ id: 'NewLocalAccount' })
export type NewLocalAccount = z.infer<typeof NewLocalAccount>

export const LocalAccountChange = z
  .object({
    disabled: z.boolean().optional(),
    email: z.email().max(254).nullable().optional().describe('`null` removes it. Nobody signs in with it'),
  })
  .meta({ id: 'LocalAccountChange' })
export type LocalAccountChange = z.infer<typeof LocalAccountChange>

export const AccountLink = z
  .object({
    url: z
      .string()
      .describe('The page that sets the password. Shown only here; anyone who has it can take over the account'),
    expiresAt: timestamp,
  })
  .meta({ id: 'AccountLink' })
export type AccountLink = z.infer<typeof AccountLink>

export const CreatedLocalAccount = LocalAccount.extend({ link: AccountLink }).meta({ id: 'CreatedLocalAccount' })
export type CreatedLocalAccount = z.infer<typeof CreatedLocalAccount>
