import { z } from 'zod'
import type { User } from '../users/schema.ts'

/** A local account with a password, as stored. */
const StoredAccount = z.object({
  userId: z.uuid(),
  /** As it was entered: the subject of its identity tokens. Looked up by its folded form. */
  login: z.string(),
  email: z.string().nullable(),
  passwordHash: z.string(),
  /** Changes with every password. */
  version: z.int(),
  /** False until its owner sets the first one. */
  hasPassword: z.boolean(),
  /** Nobody can sign in with it. */
  disabled: z.boolean(),
})
export type Account = z.infer<typeof StoredAccount>

const field = (longest: number) => z.string().max(longest).default('')

/** Fields of the sign-in page. Only their size is checked here; the page reports everything else. */
export const SignInForm = z.object({ login: field(1024), password: field(8192) }).default({ login: '', password: '' })

/** Fields of the page that creates the first admin. */
export const FirstAdminForm = z
  .object({ login: field(1024), password: field(8192), again: field(8192) })
  .default({ login: '', password: '', again: '' })

const password = z.string().max(8192)

export const PasswordChange = z
  .object({
    currentPassword: password,
    newPassword: password.describe('8 to 1024 characters; neither the login nor one of the most common passwords'),
  })
  .meta({ id: 'PasswordChange' })
export type PasswordChange = z.infer<typeof PasswordChange>

/** Fields of the page that sets a password. */
export const NewPasswordForm = z
  .object({ password: field(8192), again: field(8192) })
  .default({ password: '', again: '' })

/** The query of a one-time link. */
export const LinkQuery = z.object({ code: z.string().max(200).default('') })

/** What the issuer sends back through the browser (RFC 6749 §4.1.2, RFC 9207). */
export const CallbackQuery = z.object({
  code: z.string().max(2048).optional(),
  state: z.string().max(2048).optional(),
  iss: z.string().max(2048).optional(),
  error: z.string().max(200).optional(),
})

/** The user that an account belongs to. */
export type AccountUser = User
