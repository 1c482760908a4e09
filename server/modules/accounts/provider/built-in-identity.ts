import type { JWTPayload } from 'jose'
import { unauthorized } from '../../../platform/errors.ts'
import type { Account } from '../schema.ts'

/** The issuer under which local users are stored; it does not depend on the public address. */
const LOCAL = 'local'

/**
 * Returns the user that a verified identity token of the built-in issuer names. @throws 401 if the account is gone, or
 * its password has changed since
 */
export const builtInIdentity =
  (findAccount: (login: string) => Promise<Account | undefined>) =>
  async ({ sub, account_version }: JWTPayload) => {
    const account = await findAccount(sub ?? '')
    if (!account || account.login !== sub || account.version !== account_version)
      throw unauthorized('This identity token is not accepted: its account was changed or deleted. Sign in again')
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
      // The operator grants the roles of local users.
      roles: [],
    }
  }
