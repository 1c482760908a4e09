import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../app.ts'
import { readConfig } from '../../platform/config.ts'
import { openEmbeddedDatabase } from '../../platform/database/embedded/embedded-database.ts'
import { createLog } from '../../platform/logging/log.ts'
import { newFolder } from '../process.ts'
import { newBucket } from '../programs/s3/s3-bucket.ts'
import { runCommand } from '../run-command.ts'
import type { Service } from '../service.ts'
import { newDatabase } from './new-database.ts'

export const SECRET = 'a secret of the tests, long enough'
export const PUBLIC = 'https://cairn.example'

/** Whether the run has a second PostgreSQL (the embedded one beside the configured one), and S3 beside folders. */
export const hasOtherKinds = Boolean(process.env.CAIRN_TEST_DATABASE_URL && process.env.CAIRN_TEST_S3_URL)

/** An empty database and storage for a restore; with `otherKind`, on the other PostgreSQL and the other storage, if available. */
export async function elsewhere(service: Service, { otherKind = false } = {}) {
  const isOther = otherKind && hasOtherKinds
  const server = isOther ? await boxServer() : { url: process.env.CAIRN_TEST_POSTGRES!, stop: async () => {} }
  const database = await newDatabase(server.url)
  const databaseUrl = database.url
  const dataDir = await mkdtemp(join(tmpdir(), 'cairn-restored-'))
  const isOnS3 = (process.env.CAIRN_TEST_STORAGE === 's3') !== isOther
  const settings: Record<string, string> = {
    CAIRN_DATA_DIR: dataDir,
    CAIRN_PUBLIC_URL: PUBLIC,
    ...(isOnS3 ? await newBucket() : {}),
  }
  // The embedded database uses a socket file without a host; the setting requires one, and the file takes precedence.
  const connected = { ...settings, CAIRN_DATABASE_URL: databaseUrl.replace('@/', '@localhost/') }
  const run = (words: string[], more: Record<string, string> = {}) => runCommand(words, { ...connected, ...more })
  return {
    dataDir,
    /** The settings of a process on it. */
    connected,
    /** `cairn …` on it. */
    run,
    restore: (words: string[], more: Record<string, string> = {}) => run(['restore', ...words], more),
    /** The service on it, with the callers of the first one. */
    async start() {
      const secret = await readFile(join(dataDir, 'secret'), 'utf8').catch(() => SECRET)
      const config = readConfig({ ...settings, CAIRN_DISK_RESERVE_BYTES: '0' }, '')
      const app = await createApp({ config, databaseUrl, secret, log: createLog('silent') })
      const address = await app.start({ host: '127.0.0.1', port: 0 })
      const get = (path: string, headers: Record<string, string> = {}) =>
        service.request('GET', address + path, undefined, headers)
      const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
        service.request('POST', address + path, body, headers)
      return { app, address, get, post, stop: app.stop }
    },
    async drop() {
      await database.drop()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** An embedded PostgreSQL in its own folder. */
async function boxServer() {
  const folder = await newFolder()
  const box = await openEmbeddedDatabase({ dataDir: folder, settings: { fsync: 'off' } })
  return {
    url: box.url,
    async stop() {
      await box.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
