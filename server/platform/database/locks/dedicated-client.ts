import pg from 'pg'
import { CONNECT_TIMEOUT_MS } from '../database.ts'

const KEEPALIVE_MS = 5000

/** A connection beside the pools, for locks of a session and for commands. The caller connects and ends it; one that breaks fails its next query. @throws from `connect` after ten seconds, also where a server takes it and says nothing */
export function dedicatedClient(url: string, applicationName: string, settings: pg.ClientConfig = {}): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    // Without it the system looks after hours whether a server that says nothing is still there.
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...settings,
  })
  client.on('error', () => {})
  return client
}
