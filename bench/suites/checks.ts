import { hash, KeyObject, verify, type webcrypto } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importJWK, type JWK } from 'jose'
import { createApp } from '../../server/app.ts'
import { createAccounts } from '../../server/modules/accounts/index.ts'
import { createApps } from '../../server/modules/apps/index.ts'
import { createIdentity } from '../../server/modules/identity/index.ts'
import { createUsers } from '../../server/modules/users/index.ts'
import { readConfig } from '../../server/platform/config.ts'
import { createLog } from '../../server/platform/logging/log.ts'
import { createPlatform } from '../../server/platform/platform.ts'
import { withTemporaryDatabase } from '../databases/temporary-database.ts'
import { newBenchApp } from '../processes/board-service.ts'
import type { Comparison } from '../record/comparison.ts'

/**
 * Measures credential checks: a cached app key beside one SHA-256, a cached session token, and a new one beside one
 * signature check of node:crypto.
 */
export function benchChecks(url: string): Promise<Comparison[]> {
  return withTemporaryDatabase(url, async (own) => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-checks-'))
    const config = readConfig({ CAIRN_DATA_DIR: folder, CAIRN_LOG_LEVEL: 'silent' }, '')
    const parts = {
      config,
      databaseUrl: own,
      secret: 'a secret of the benchmarks, long enough',
      log: createLog('silent'),
    }
    const app = await createApp(parts)
    const address = await app.start({ host: '127.0.0.1', port: 0 })
    try {
      const user = await app.localUser('bench')
      const { token } = await app.identity.openFor(user)
      const { apiKey } = await newBenchApp(address, token)
      const platform = createPlatform(parts)
      const unused = async () => {
        throw new Error('no part of a check')
      }
      const users = createUsers(platform, { removeUnused: unused, playersChanged: () => {} })
      const accounts = createAccounts(platform, { users })
      const { service: identity } = createIdentity(platform, {
        users,
        accounts,
        streams: { endWith: () => {} },
        tokensLeft: unused,
      })
      const apps = createApps(platform, {
        streams: { endWith: () => {} },
        forgetBoards: () => {},
        removeUnused: unused,
        writeUsage: unused,
        newSecrets: { ofWebhook: String, ofScoreHook: String },
      })
      let queries = 0
      await apps.findByKey(apiKey)
      platform.database.pool.on('acquire', () => queries++)
      const key = await each(200_000, () => apps.findByKey(apiKey))
      const keyQueries = queries
      const sha = await each(200_000, async () => hash('sha256', apiKey, 'buffer'))
      const known = await each(200_000, () => identity.findUser(token))
      const tokens = await Promise.all(
        Array.from({ length: 2000 }, async () => (await app.identity.openFor(user)).token),
      )
      const fresh = await each(tokens.length, (i) => platform.tokens.verify(tokens[i]!))
      const { keys } = (await (await fetch(`${address}/.well-known/jwks.json`)).json()) as { keys: JWK[] }
      const publicKey = KeyObject.from((await importJWK(keys[0]!, 'ES256')) as webcrypto.CryptoKey)
      const bare = await each(tokens.length, async (i) => {
        const [head, body, signature] = tokens[i]!.split('.')
        const good = verify(
          'sha256',
          Buffer.from(`${head}.${body}`),
          { key: publicKey, dsaEncoding: 'ieee-p1363' },
          Buffer.from(signature!, 'base64url'),
        )
        if (!good) throw new Error('a valid signature was rejected')
      })
      const compared = (name: string, ours: number, peer: number, target: string, queries?: number) => ({
        name,
        ours: { µs: ours, ...(queries !== undefined && { queries }) },
        peer: { µs: peer },
        ratio: ours / peer,
        target,
      })
      await platform.database.close()
      return [
        compared('app key, known / one SHA-256', key, sha, '≤ 3 µs, no query', keyQueries),
        compared('session token, known / one SHA-256', known, sha, '≤ 3 µs, no query'),
        compared('session token, new / one ES256 check of node:crypto', fresh, bare, '≤ 2'),
      ]
    } finally {
      await app.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

/** Returns microseconds per call. */
async function each(times: number, work: (i: number) => unknown): Promise<number> {
  for (let i = 0; i < Math.min(times, 1000); i++) await work(i)
  const start = performance.now()
  for (let i = 0; i < times; i++) await work(i)
  return ((performance.now() - start) * 1000) / times
}
