import type { Secrets } from '../../../platform/credentials/secrets.ts'
import { HttpError } from '../../../platform/errors.ts'
import { addressBlock } from '../../../platform/http/limits/address-block.ts'
import { foldName } from '../../../platform/names.ts'
import { english } from '../page-texts/english.ts'
import type { SignInThrottleStore, TryKind } from './sign-in-throttle-store.ts'

const PURPOSE = 'sign-in-tries'
const WINDOW_SECONDS = 600
const MOST: Record<TryKind, number> = { login: 10, address: 30 }

export type SignInThrottle = ReturnType<typeof signInThrottle>

/**
 * Limits failed sign-ins to 10 in 10 minutes for a login and 30 for an address (for IPv6 its /64), over all processes.
 * Each try is counted before its password is checked, so concurrent tries gain nothing; a successful one is taken back.
 * If the count is unavailable, sign-ins are refused.
 */
export function signInThrottle({ store, secrets }: { store: SignInThrottleStore; secrets: Pick<Secrets, 'sign'> }) {
  const digestOf = (kind: TryKind, name: string) => secrets.sign(PURPOSE, `${kind} ${name}`)
  const take = async (kind: TryKind, name: string): Promise<() => Promise<void>> => {
    const who = digestOf(kind, name)
    const { tries, seconds } = await store.add(kind, who, WINDOW_SECONDS)
    if (tries > MOST[kind]) throw new TooManyTries(kind, Math.max(1, Math.ceil(seconds)))
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

    /** Until when sign-ins with each of these logins are refused; undefined if they are not. */
    async lockedUntil(logins: string[]): Promise<(string | undefined)[]> {
      const whos = logins.map((login) => digestOf('login', foldName(login)))
      const ends = await store.endsOf('login', whos, MOST.login)
      return whos.map((who) => ends.get(who))
    },

    /** Deletes expired windows. */
    deleteOld: store.deleteOld,
  }
}

/** 429, with what was tried too often and the seconds until the next try. */
export class TooManyTries extends HttpError {
  readonly kind: TryKind
  readonly seconds: number

  constructor(kind: TryKind, seconds: number) {
    super(429, english.tooMany[kind](seconds), { 'retry-after': String(seconds) })
    this.kind = kind
    this.seconds = seconds
  }
}
