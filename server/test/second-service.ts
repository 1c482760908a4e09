import { createApp } from '../app.ts'
import { readConfig } from '../platform/config.ts'
import type { DatabaseClock } from '../platform/database/clock.ts'
import { createLog } from '../platform/logging/log.ts'
import type { Service } from './service.ts'

/** A second service on the database of the first, like another process: nothing in memory is shared. */
export async function startSecondService(
  service: Service,
  settings: Record<string, string> = {},
  clock?: DatabaseClock,
) {
  const level = process.env.CAIRN_TEST_LOG ?? 'silent'
  const app = await createApp({
    config: readConfig(
      { CAIRN_DATA_DIR: service.folder, CAIRN_TRUSTED_PROXIES: 'loopback', ...service.storage, ...settings },
      '',
    ),
    databaseUrl: service.databaseUrl,
    secret: 'a secret of the tests, long enough',
    log: createLog(level),
    clock,
  })
  const url = await app.start({ host: '127.0.0.1', port: 0 })
  return {
    app,
    url,
    /** A caller with these headers. */
    as: (headers: Record<string, string>) => ({
      get: (path: string) => service.request('GET', url + path, undefined, headers),
      post: (path: string, body?: unknown) => service.request('POST', url + path, body, headers),
    }),
    stop: app.stop,
  }
}
