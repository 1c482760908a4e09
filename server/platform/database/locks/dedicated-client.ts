import pg from 'pg'
import { CONNECT_TIMEOUT_MS } from '../database.ts'

const KEEPALIVE_MS = 5000

/**
 * A connection outside the pools, for session locks and commands. The caller connects and ends it; a broken one fails
 * its next query. @throws from `connect` after ten seconds, also if the server accepts it but does not respond
 */
export function dedicatedClient(url: string, applicationName: string, settings: pg.ClientConfig = {}): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    // By default the system takes hours to notice a dead server.
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...settings,
  })
  client.on('error', () => {})
  return client
}
