import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../app.ts'
import { readConfig } from '../platform/config.ts'
import { createLog, type Log } from '../platform/logging/log.ts'
import type { Network } from '../platform/outbound/network.ts'
import { createTestDatabase } from './database.ts'
import { wrongRowCounts } from './processes/row-counts.ts'
import { newBucket } from './programs/s3-bucket.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into an answer's body without knowing its type.
export type Answer = { status: number; body: any; headers: Headers }
type TestDatabase = { url: string; drop: () => Promise<void> }
export type Service = Awaited<ReturnType<typeof startService>>

/** The whole service on a database, a data folder and a port of its own, talked to over HTTP. With CAIRN_TEST_STORAGE=s3 it keeps its files in a bucket of its own.
 * @param settings CAIRN_* settings beside the defaults @param network that stands for the internet @param log in place of the one on standard output. */
export async function startService(
  settings: Record<string, string> = {},
  network?: Network,
  log?: Log,
  database?: TestDatabase,
) {
  const { url: databaseUrl, drop } = database ?? (await createTestDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'cairn-data-'))
  const storage: Record<string, string> = process.env.CAIRN_TEST_STORAGE === 's3' ? await newBucket() : {}
  const config = readConfig(
    {
      CAIRN_DATA_DIR: folder,
      CAIRN_LOG_LEVEL: process.env.CAIRN_TEST_LOG ?? 'silent',
      // Tests send from one address what the world sends from many.
      CAIRN_LIMIT_ADDRESS_PER_MINUTE: '1000000',
      CAIRN_LIMIT_KEY_PER_MINUTE: '1000000',
      CAIRN_LIMIT_EXCHANGES_PER_MINUTE: '1000000',
      CAIRN_LIMIT_UPLOADS_PER_HOUR: '1000000',
      CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: '1000000000000',
      CAIRN_DISK_RESERVE_BYTES: '0',
      CAIRN_DATABASE_RESERVE_BYTES: '0',
      ...storage,
      ...settings,
    },
    '',
  )
  const app = await createApp({
    config,
    databaseUrl,
    secret: 'a secret of the tests, long enough',
    log: log ?? createLog(config.CAIRN_LOG_LEVEL),
    network,
  })
  const url = await app.start({ host: '127.0.0.1', port: 0 })

  const request = requestsAt(url)

  return {
    url,
    databaseUrl,
    folder,
    app,
    /** The settings that say where files are kept, if that is not the folder. */
    storage,
    /** The names of all objects, half-written ones too. */
    async objectsKept(): Promise<string[]> {
      const names: string[] = []
      for await (const { key } of app.objects.list()) names.push(key)
      for (const unfinished of ['objects/partial', 'incoming-objects'])
        names.push(...(await readdir(join(folder, unfinished)).catch(() => [])))
      return names.sort()
    },
    request,
    /** The same requests with headers added to each: a caller. */
    as: (headers: Record<string, string>) => caller(request, headers),
    anonymous: caller(request, {}),
    /** @throws where, after all that the tests did, the rows of some list are not as many as are counted */
    async stop() {
      await app.stop()
      const wrong = database ? [] : await wrongRowCounts(databaseUrl)
      await drop()
      await rm(folder, { recursive: true, force: true })
      if (wrong.length > 0) throw new Error(`Rows are counted wrongly: ${JSON.stringify(wrong)}`)
    },
  }
}

/** One request. A plain object is sent as JSON, FormData as multipart. */
export const requestsAt =
  (url: string) =>
  async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const raw = body instanceof FormData || typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(path.startsWith('http') ? path : url + path, {
      method,
      headers: { ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: raw ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, body: isJson && text ? JSON.parse(text) : text, headers: response.headers }
  }

/** Somebody who talks to a service in a process of its own. */
export const callerAt = (url: string, headers: Record<string, string> = {}): Caller => caller(requestsAt(url), headers)

/** Another process of the same service, here in this one: on the database of the first, which must outlive it. */
export const startSecondService = (first: Service, settings: Record<string, string> = {}): Promise<Service> =>
  startService({ ...first.storage, ...settings }, undefined, undefined, {
    url: first.databaseUrl,
    drop: async () => {},
  })

export type Caller = ReturnType<typeof caller>

function caller(
  request: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>,
  headers: Record<string, string>,
) {
  return {
    headers,
    get: (path: string) => request('GET', path, undefined, headers),
    post: (path: string, body?: unknown) => request('POST', path, body, headers),
    put: (path: string, body?: unknown) => request('PUT', path, body, headers),
    patch: (path: string, body?: unknown) => request('PATCH', path, body, headers),
    delete: (path: string, body?: unknown) => request('DELETE', path, body, headers),
  }
}
