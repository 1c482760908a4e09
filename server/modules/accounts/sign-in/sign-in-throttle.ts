import type { Secrets } from '../../../platform/credentials/secrets.ts'
import { HttpError } from '../../../platform/errors.ts'
import { addressBlock } from '../../../platform/http/limits/address-block.ts'
import { foldName } from '../../../platform/names.ts'
import type { SignInThrottleStore, TryKind } from './sign-in-throttle-store.ts'

const PURPOSE = 'sign-in-tries'
const WINDOW_SECONDS = 600
const MOST: Record<TryKind, number> = { login: 10, address: 30 }
const WHOSE: Record<TryKind, string> = { login: 'for this login', address: 'from this address' }

export type SignInThrottle = ReturnType<typeof signInThrottle>

/**
 * Limits failed sign-ins to 10 in 10 minutes for a login and 30 for an address (for IPv6 its /64), over all processes.
 * Each try is counted before its password is checked, so concurrent tries gain nothing; a successful one is taken back.
 * If the count is unavailable, sign-ins are refused.
 */
export function signInThrottle({ store, secrets }: { store: SignInThrottleStore; secrets: Pick<Secrets, 'sign'> }) {
  const take = async (kind: TryKind, name: string): Promise<() => Promise<void>> => {
    const who = secrets.sign(PURPOSE, `${kind} ${name}`)
    const { tries, seconds } = await store.add(kind, who, WINDOW_SECONDS)
    if (tries > MOST[kind]) throw tooMany(kind, Math.max(1, Math.ceil(seconds)))
    return () => store.takeBack(kind, who)
  }

  return {
    /** Counts one try. @returns a function that takes it back @throws 429 */
    async count(login: string, address: string): Promise<() => Promise<void>> {
      const ofAddress = await take('address', addressBlock(address))
      const ofLogin = await take('login', foldName(login))
      return async () => {
        await ofAddress()
        await ofLogin()
      }
    },

    /** Deletes expired windows. */
    deleteOld: store.deleteOld,
  }
}

function tooMany(kind: TryKind, seconds: number): HttpError {
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
  return new HttpError(429, `Too many failed sign-ins ${WHOSE[kind]}: try again in ${wait}`, {
    'retry-after': String(seconds),
  })
}
