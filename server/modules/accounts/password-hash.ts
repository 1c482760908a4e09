import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createConcurrencyLimiter } from '../../platform/concurrency/concurrency-limiter.ts'
import { unavailable } from '../../platform/errors.ts'

const derive = promisify(argon2)

/** KiB, passes, lanes: the minimum of OWASP's Password Storage Cheat Sheet for Argon2id. */
const CURRENT = { memory: 19_456, passes: 2, parallelism: 1 }
type Cost = typeof CURRENT

/** One verification takes 19 MB and a core, so few run at once, some more wait, and the rest get 503. */
const AT_ONCE = 2
const WAITING = 32

export type PasswordHashes = ReturnType<typeof passwordHashes>

/**
 * Hashes passwords with Argon2id in PHC string format, `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. Passwords are
 * compared in NFKC, as NIST SP 800-63B §3.1.1.2 advises.
 */
export function passwordHashes(cost: Cost = CURRENT) {
  const limited = createConcurrencyLimiter({
    maxConcurrent: AT_ONCE,
    maxWaiting: WAITING,
    full: () => unavailable('Too many sign-ins at this moment: try again', 5),
  })
  // Checked if there is no account: takes as long as a wrong password and never matches.
  const nobody = phc(cost, randomBytes(16), randomBytes(32))

  return {
    /** @throws 503 if too many hashes are being computed */
    async make(password: string): Promise<string> {
      const salt = randomBytes(16)
      return phc(cost, salt, await limited(() => digest(password, salt, 32, cost)))
    },

    /** A hash that no password matches. */
    ofNone: (): string => phc(cost, randomBytes(16), randomBytes(32)),

    /**
     * Whether the password matches. Without a hash it never does, and takes just as long. @throws 503 if too many
     * hashes are being computed
     */
    async fits(password: string, hash: string | undefined): Promise<boolean> {
      const { salt, expected, ...kept } = parse(hash ?? nobody)
      const found = await limited(() => digest(password, salt, expected.length, kept))
      return timingSafeEqual(found, expected) && hash !== undefined
    },

    /** Whether the hash was made with less effort than the current parameters. */
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
  if (!memory) throw new Error('An account has a password hash in an unknown format')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    expected: Buffer.from(hash, 'base64'),
  }
}
