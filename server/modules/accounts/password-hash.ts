import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createConcurrencyLimiter } from '../../platform/concurrency/concurrency-limiter.ts'
import { unavailable } from '../../platform/errors.ts'

const derive = promisify(argon2)

/** KiB, passes, lanes: what OWASP's Password Storage Cheat Sheet asks of Argon2id at the least. */
const CURRENT = { memory: 19_456, passes: 2, parallelism: 1 }
type Cost = typeof CURRENT

/** One verification takes 19 MB and a core: a few at once, some more in wait, the rest are told to come back. */
const AT_ONCE = 2
const WAITING = 32

export type PasswordHashes = ReturnType<typeof passwordHashes>

/** Passwords as Argon2id hashes in PHC string format, `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. A password is compared in NFKC, as NIST SP 800-63B §3.1.1.2 advises. */
export function passwordHashes(cost: Cost = CURRENT) {
  const inTurn = createConcurrencyLimiter({
    maxConcurrent: AT_ONCE,
    maxWaiting: WAITING,
    full: () => unavailable('Too many are signing in at this moment: try again', 5),
  })
  // Compared with when there is no account: takes as long as a wrong password and fits none.
  const nobody = phc(cost, randomBytes(16), randomBytes(32))

  return {
    /** @throws 503 when too many are under way. */
    async make(password: string): Promise<string> {
      const salt = randomBytes(16)
      return phc(cost, salt, await inTurn(() => digest(password, salt, 32, cost)))
    },

    /** Whether the password fits; without a hash it never does, and takes just as long. @throws 503 when too many are under way. */
    async fits(password: string, hash: string | undefined): Promise<boolean> {
      const { salt, expected, ...kept } = parse(hash ?? nobody)
      const found = await inTurn(() => digest(password, salt, expected.length, kept))
      return timingSafeEqual(found, expected) && hash !== undefined
    },

    /** Whether the hash was made with less effort than today's. */
    isWeak(hash: string): boolean {
      const { memory, passes } = parse(hash)
      return memory < cost.memory || passes < cost.passes
    },
  }
}

const digest = (password: string, nonce: Buffer, tagLength: number, cost: Cost): Promise<Buffer> =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...cost } satisfies Argon2Parameters)

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const phc = ({ memory, passes, parallelism }: Cost, salt: Buffer, hash: Buffer) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`

function parse(text: string): Cost & { salt: Buffer; expected: Buffer } {
  const [, memory, passes, parallelism, salt = '', hash = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(text) ?? []
  if (!memory) throw new Error('An account holds a password hash of an unknown format')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    expected: Buffer.from(hash, 'base64'),
  }
}
