import { z } from 'zod'
import { moment } from '../../platform/schema.ts'

export const Exchange = z
  .object({ token: z.string().min(1).max(16_384).describe("An identity provider's authentication token (a JWT)") })
  .meta({ id: 'IdentityExchange' })

export const SignedInUser = z
  .object({
    id: z.uuid(),
    email: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    roles: z.array(z.string()),
    isAdmin: z.boolean(),
    hasOpsAccess: z.boolean().describe('Has ops or admin access'),
  })
  .meta({ id: 'SignedInUser' })
export type SignedInUser = z.infer<typeof SignedInUser>

export const ExchangeAnswer = z
  .object({ user: SignedInUser, serviceSessionToken: z.string() })
  .meta({ id: 'IdentityExchangeAnswer' })

export const SyncAnswer = z
  .object({ user: SignedInUser, sessionToken: z.string(), expiryTime: moment })
  .meta({ id: 'SyncAnswer' })

export const JwkSet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).meta({ id: 'JwkSet' })
