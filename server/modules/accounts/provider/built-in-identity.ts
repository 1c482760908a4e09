import type { JWTPayload } from 'jose'
import { unauthorized } from '../../../platform/errors.ts'
import type { Account } from '../schema.ts'

/** Under which issuer the box's people are kept: whatever address it is reached at, they stay the same. */
const LOCAL = 'local'

/** Whom a verified identity token of the box names. @throws 401 when the account is gone, or its password was changed since. */
export const builtInIdentity =
  (findAccount: (login: string) => Promise<Account | undefined>) =>
  async ({ sub, account_version }: JWTPayload) => {
    const account = await findAccount(sub ?? '')
    if (!account || account.login !== sub || account.version !== account_version)
      throw unauthorized('This identity token is not accepted: its account was changed or deleted; sign in again')
    return {
      issuer: LOCAL,
      subject: account.login,
      email: account.email,
      emailProven: false,
      firstName: null,
      lastName: null,
      phoneNumber: null,
      username: account.login,
      imageUrl: null,
      // Roles of local users are granted by the operator.
      roles: [],
    }
  }
