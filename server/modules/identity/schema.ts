import { z } from 'zod'
import { timestamp } from '../../platform/schema.ts'

export const Exchange = z
  .object({ token: z.string().min(1).max(16_384).describe("The identity provider's authentication token (a JWT)") })
  .meta({ id: 'IdentityExchange' })

/** For tokens that are not in the header. */
export const Sync = z.object({ token: Exchange.shape.token.optional() }).meta({ id: 'Sync' })

export const SignedInUser = z
  .object({
    id: z.uuid(),
    email: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    roles: z.array(z.string()),
    isAdmin: z.boolean(),
    hasOpsAccess: z.boolean().describe('Whether the user has ops or admin access'),
  })
  .meta({ id: 'SignedInUser' })
export type SignedInUser = z.infer<typeof SignedInUser>

export const ExchangeAnswer = z
  .object({ user: SignedInUser, serviceSessionToken: z.string() })
  .meta({ id: 'IdentityExchangeAnswer' })

export const SyncAnswer = z
  .object({ user: SignedInUser, sessionToken: z.string(), expiryTime: timestamp })
  .meta({ id: 'SyncAnswer' })

export const JwkSet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).meta({ id: 'JwkSet' })

const digits = z
  .string()
  .regex(/^[0-9]{6}$/, 'must be six digits')
  .meta({ example: '042917' })

export const NewCode = z
  .object({
    playerId: z
      .string()
      .nullish()
      .describe('The player the code is for. With an app key alone it is required, and must be a player of that app'),
  })
  .meta({ id: 'NewCode' })

export const Code = z
  .object({
    code: digits,
    playerId: z.string().nullable().optional().describe('Present if it was sent'),
    expiryTime: timestamp.describe('When the code expires'),
  })
  .meta({ id: 'Code' })
export type Code = z.infer<typeof Code>

export const CodeExchange = z.object({ code: digits }).meta({ id: 'CodeExchange' })

export const CodeAnswer = z
  .object({
    status: z.enum(['VALID', 'INVALID', 'EXPIRED', 'ERROR']),
    sessionToken: z
      .string()
      .optional()
      .describe(
        'Only for a code created by a user. The session is limited: no roles, no codes, no app keys, no deletion of the user. It lasts at most 30 days with renewals',
      ),
    expiryTime: timestamp
      .optional()
      .describe('If VALID: when the session token ends or, if there is none, when the code ends'),
    error: z.string().optional().describe('Unless VALID: what to do'),
  })
  .meta({ id: 'CodeAnswer' })
export type CodeAnswer = z.infer<typeof CodeAnswer>
