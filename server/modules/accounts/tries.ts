import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { HttpError } from '../../platform/errors.ts'
import { addressBlock } from '../../platform/http/address-block.ts'
import { foldName } from '../../platform/names.ts'

const WINDOW_SECONDS = 600
const PER_ACCOUNT = 10
const PER_ADDRESS = 30

export type Tries = ReturnType<typeof signInTries>

/** Failed sign-ins: 10 in 10 minutes for a login, 30 for an address (for IPv6 its /64). Each try is counted before its password is looked at, so that many at once get no more; one that turned out well is given back. Counted in this process. */
export function signInTries() {
  const options = { duration: WINDOW_SECONDS }
  const ofLogin = new RateLimiterMemory({ ...options, keyPrefix: 'login', points: PER_ACCOUNT })
  const ofAddress = new RateLimiterMemory({ ...options, keyPrefix: 'address', points: PER_ADDRESS })

  const take = async (limiter: RateLimiterMemory, key: string, whose: string) => {
    try {
      await limiter.consume(key)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000))
      const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
      throw new HttpError(429, `Too many failed sign-ins ${whose}: try again in ${wait}`, {
        'retry-after': String(seconds),
      })
    }
  }

  return {
    /** Counts one try. @returns what takes it back. @throws 429 */
    async count(login: string, address: string): Promise<() => Promise<void>> {
      const [account, block] = [foldName(login), addressBlock(address)]
      await take(ofAddress, block, 'from this address')
      await take(ofLogin, account, 'for this login')
      return async () => {
        await ofAddress.reward(block)
        await ofLogin.reward(account)
      }
    },
  }
}
