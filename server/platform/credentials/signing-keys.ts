import { performance } from 'node:perf_hooks'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { sql, type Transaction } from 'kysely'
import { auditLog } from '../database/audit.ts'
import type { AnyTables, Database } from '../database/database.ts'
import { lock } from '../database/locks/locks.ts'
import type { Secrets } from './secrets.ts'

export const ALGORITHM = 'ES256'
const PURPOSE = 'signing-keys'
/** The longest lifetime of a token: that of a player token. A session token lasts 12 hours. */
const TOKEN_SECONDS = 24 * 60 * 60

/** When keys are published, used and retired. */
export type KeyTiming = {
  /**
   * Seconds for which a new key is published before it signs: longer than verifiers cache the JWKS (300 s) and than any
   * process uses the keys it has read.
   */
  publishSeconds: number
  /**
   * Seconds for which a replaced key is accepted: until its last token has expired, plus five minutes for clocks and
   * late processes.
   */
  keepSeconds: number
  /** Milliseconds between reads of the database. */
  reloadMs: number
}
export const KEY_TIMING: KeyTiming = { publishSeconds: 600, keepSeconds: TOKEN_SECONDS + 300, reloadMs: 2000 }

/** Keys older than this are read again before use, also if the timer failed. */
const STALE_MS = 30_000
const UNKNOWN_KID_MS = 1000

type Key = { kid: string; publicJwk: JWK; publicKey: CryptoKey; privateKey: CryptoKey; signsAt: number }
type Row = { kid: string; public_jwk: JWK; private_jwk: string; signs_in: number }
/** `next`: published, not signing yet. `signing`. `accepted`: replaced, valid until `endsAt`. */
export type KeyState = { kid: string; state: 'next' | 'signing' | 'accepted'; signsFrom: string; endsAt: string | null }

export type SigningKeys = ReturnType<typeof createSigningKeys>

type Deps = { database: Database; secrets: Secrets; timing: KeyTiming }

/**
 * The keys that sign session tokens and player tokens. They are stored encrypted in the database and cached in memory, so that neither
 * signing nor verifying waits for it.
 */
export function createSigningKeys({ database, secrets, timing }: Deps) {
  const { kysely } = database
  const audit = auditLog(kysely)
  let keys: Key[] = []
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const look = async () => {
    const at = performance.now()
    let rows = await readKeys(kysely)
    if (rows.length === 0) {
      await storeFirstKey(kysely, await makeKey(secrets))
      rows = await readKeys(kysely)
    }
    keys = await Promise.all(
      rows.map(async (row) => {
        const signsAt = at + row.signs_in * 1000
        const known = keys.find(({ kid }) => kid === row.kid)
        return known ? { ...known, signsAt } : { ...(await opened(row, secrets)), signsAt }
      }),
    )
    lookedAt = at
  }
  /** One read at a time, shared by all callers. */
  const reload = () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  const current = async (): Promise<Key[]> => {
    if (performance.now() - lookedAt > STALE_MS) await reload()
    return keys
  }

  return {
    /**
     * Every published key: the next one, the signing one, and those still accepted. @throws a sentence if the secret
     * does not decrypt them
     */
    current,

    /** The signing key: the newest whose time has come. */
    async signing(): Promise<Key> {
      const now = performance.now()
      const all = await current()
      return all.find(({ signsAt }) => signsAt <= now) ?? all.at(-1)!
    },

    /** The key of a token's `kid`, or undefined. An unknown one is looked up in the database at most once a second. */
    async find(kid: string | undefined): Promise<Key | undefined> {
      const known = (await current()).find((key) => key.kid === kid)
      if (known || performance.now() - lookedAt < UNKNOWN_KID_MS) return known
      await reload()
      return keys.find((key) => key.kid === kid)
    },

    /** Reads the keys regularly, until `stop`. */
    watch(onError: (error: Error) => void) {
      timer ??= setInterval(() => void reload().catch(onError), timing.reloadMs).unref()
    },
    stop: () => clearInterval(timer),

    /**
     * Publishes the next key and sets the end of the current ones. With `now`, the current ones end at once and the new
     * one signs. @throws a sentence if the next key is already published
     */
    async rotate({ now }: { now: boolean }): Promise<KeyState[]> {
      const key = await makeKey(secrets)
      await kysely.transaction().execute(async (trx) => {
        await lockKeys(trx)
        const replaced = now ? 0 : await endPresentKeys(trx, timing)
        if (now) await sql`delete from signing_keys`.execute(trx)
        await storeKey(trx, key, replaced > 0 ? timing.publishSeconds : 0)
        const action = now ? 'signing_keys.replaced' : 'signing_key.rotated'
        await audit.record([{ actor: 'operator', action, subject: key.kid, address: null }], trx)
      })
      await reload()
      return this.list()
    },

    list: async (): Promise<KeyState[]> => {
      const { rows } = await sql<KeyState>`
        select kid, signs_from as "signsFrom", ends_at as "endsAt",
               case when signs_from > clock_timestamp() then 'next'
                    when rank() over (partition by signs_from > clock_timestamp() order by signs_from desc, kid) = 1 then 'signing'
                    else 'accepted' end as state
          from signing_keys where ends_at is null or ends_at > clock_timestamp()
         order by signs_from desc, kid`.execute(kysely)
      return rows
    },

    /** Deletes keys whose last token has expired. */
    deleteEnded: () => sql`delete from signing_keys where ends_at <= clock_timestamp()`.execute(kysely),
  }
}

const readKeys = async (db: Database['kysely']): Promise<Row[]> =>
  (
    await sql<Row>`
      select kid, public_jwk, private_jwk, extract(epoch from signs_from - clock_timestamp()) as signs_in
        from signing_keys where ends_at is null or ends_at > clock_timestamp() order by signs_from desc, kid`.execute(
      db,
    )
  ).rows

async function opened(row: Row, secrets: Secrets): Promise<Omit<Key, 'signsAt'>> {
  const { kid, public_jwk: publicJwk, private_jwk: sealed } = row
  const [publicKey, privateKey] = await Promise.all([
    importJWK(publicJwk, ALGORITHM),
    importJWK(unsealed(secrets, sealed), ALGORITHM),
  ])
  return { kid, publicJwk, publicKey: publicKey as CryptoKey, privateKey: privateKey as CryptoKey }
}

/** Decrypts a private key. @throws a sentence if the secret does not fit */
export function unsealed(secrets: Secrets, sealed: string): JWK {
  try {
    return JSON.parse(secrets.open(PURPOSE, sealed))
  } catch {
    throw new Error(
      'The secret (CAIRN_SECRET, or the file "secret" in the data folder) is not the one of this database: restore the right one',
    )
  }
}

type NewKey = { kid: string; publicJwk: JWK; sealed: string }

async function makeKey(secrets: Secrets): Promise<NewKey> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const sealed = secrets.seal(PURPOSE, JSON.stringify(await exportJWK(privateKey)))
  return { kid: await calculateJwkThumbprint(publicJwk), publicJwk, sealed }
}

/** Serializes changes of the keys. */
const lockKeys = (trx: Transaction<AnyTables>) => lock(trx, 'signingKeys')

const storeKey = (trx: Transaction<AnyTables>, { kid, publicJwk, sealed }: NewKey, inSeconds: number) =>
  sql`insert into signing_keys (kid, public_jwk, private_jwk, signs_from)
      values (${kid}, ${JSON.stringify(publicJwk)}::jsonb, ${sealed}, clock_timestamp() + make_interval(secs => ${inSeconds}))`.execute(
    trx,
  )

/** If two processes start on a new database together, both use the first one's key. */
const storeFirstKey = (db: Database['kysely'], key: NewKey) =>
  db.transaction().execute(async (trx) => {
    await lockKeys(trx)
    if ((await readKeys(trx)).length === 0) await storeKey(trx, key, 0)
  })

/** @returns how many keys were ended @throws a sentence if the next key is already published */
async function endPresentKeys(trx: Transaction<AnyTables>, { publishSeconds, keepSeconds }: KeyTiming) {
  const { rows } = await sql<{ at: string }>`
    select signs_from as at from signing_keys where signs_from > clock_timestamp()`.execute(trx)
  if (rows[0]) throw new Error(`The next key is already published and signs from ${rows[0].at}: nothing changed`)
  const ended = await sql`
    update signing_keys set ends_at = clock_timestamp() + make_interval(secs => ${publishSeconds + keepSeconds})
     where ends_at is null`.execute(trx)
  return Number(ended.numAffectedRows)
}
