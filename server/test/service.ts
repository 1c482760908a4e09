import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../app.ts'
import { readConfig } from '../platform/config.ts'
import type { DatabaseClock } from '../platform/database/clock.ts'
import { createLog, type Log } from '../platform/logging/log.ts'
import type { Network } from '../platform/outbound/network.ts'
import type { ProcessPart } from '../platform/processes/processes.ts'
import { createTestDatabase } from './database.ts'
import { wrongRowCounts } from './processes/row-counts.ts'
import { newBucket } from './programs/s3/s3-bucket.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read a response body without knowing its type.
export type Answer = { status: number; body: any; headers: Headers }
type TestDatabase = { url: string; drop: () => Promise<void> }
export type Service = Awaited<ReturnType<typeof startService>>

/** The whole service with its own database, data folder and port, over HTTP. With CAIRN_TEST_STORAGE=s3 it stores files in its own bucket.
 * @param settings CAIRN_* settings besides the defaults @param network simulates the internet @param log instead of standard output.
 * @param part of several processes @param clock decides what has expired */
export async function startService(
  settings: Record<string, string> = {},
  network?: Network,
  log?: Log,
  database?: TestDatabase,
  part?: ProcessPart,
  clock?: DatabaseClock,
) {
  const { url: databaseUrl, drop } = database ?? (await createTestDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'cairn-data-'))
  const storage: Record<string, string> = process.env.CAIRN_TEST_STORAGE === 's3' ? await newBucket() : {}
  const config = readConfig(
    {
      CAIRN_DATA_DIR: folder,
      CAIRN_LOG_LEVEL: process.env.CAIRN_TEST_LOG ?? 'silent',
      // Tests send from one address what many clients send.
      CAIRN_LIMIT_ADDRESS_PER_MINUTE: '1000000',
      CAIRN_LIMIT_KEY_PER_MINUTE: '1000000',
      CAIRN_LIMIT_PLAYER_PER_MINUTE: '1000000',
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
    part,
    clock,
  })
  const where =
    part?.part === 'coordinator'
      ? { path: join(part.folder, 'http'), address: 'http://127.0.0.1' }
      : { host: '127.0.0.1', port: 0 }
  const url = await app.start(where)

  const request = requestsAt(url)

  return {
    url,
    databaseUrl,
    folder,
    app,
    /** The storage settings, if files are not in the folder. */
    storage,
    /** The names of all objects, including partial ones. */
    async objectsKept(): Promise<string[]> {
      const names: string[] = []
      for await (const { key } of app.objects.list()) names.push(key)
      for (const unfinished of ['objects/partial', 'incoming-objects'])
        names.push(...(await readdir(join(folder, unfinished)).catch(() => [])))
      return names.sort()
    },
    request,
    /** A caller: the same requests with additional headers. */
    as: (headers: Record<string, string>) => caller(request, headers),
    anonymous: caller(request, {}),
    /** @throws if the count of a list differs from its rows after the tests */
    async stop(): Promise<void> {
      await app.stop()
      const wrong = database ? [] : await wrongRowCounts(databaseUrl)
      await drop()
      await rm(folder, { recursive: true, force: true })
      if (wrong.length > 0) throw new Error(`Rows are counted wrongly: ${JSON.stringify(wrong)}`)
    },
  }
}

/** Sends a request. A plain object is sent as JSON, FormData as multipart. */
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

/** A client of a service in another process. */
export const callerAt = (url: string, headers: Record<string, string> = {}): Caller => caller(requestsAt(url), headers)

/** Another process of the same service, simulated here: on the database of the first, which must outlive it. */
export const startSecondService = (
  first: Service,
  settings: Record<string, string> = {},
  part?: ProcessPart,
): Promise<Service> =>
  startService(
    { ...first.storage, ...settings },
    undefined,
    undefined,
    { url: first.databaseUrl, drop: async () => {} },
    part,
  )

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
