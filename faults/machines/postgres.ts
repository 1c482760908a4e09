import { startDebianPostgres } from '../../server/test/programs/debian-postgres.ts'
import { steadyPort } from '../../server/test/programs/steady-port.ts'
import { pause } from './pause.ts'

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** Configured like a primary with replicas. Acknowledged commits are on disk. */
const SETTINGS = {
  fsync: 'on',
  wal_level: 'replica',
  max_wal_senders: 5,
  wal_keep_size: '256MB',
  max_connections: 200,
  hot_standby: 'on',
  deadlock_timeout: '500ms',
}

/** A PostgreSQL used by several processes. @param settings additional settings */
export async function startPostgres({ settings = {} as Record<string, string | number> } = {}) {
  const postgres = await startDebianPostgres({ port: await steadyPort(), settings: { ...SETTINGS, ...settings } })
  return {
    ...controlsOf(postgres),
    /** A streaming replica of it, created by pg_basebackup. */
    async startReplica() {
      const replica = await startDebianPostgres({
        port: await steadyPort(),
        settings: { ...SETTINGS, ...settings },
        fill: (folder, program) =>
          program('pg_basebackup', '-d', postgres.url, '-D', folder, '-R', '-X', 'stream', '-c', 'fast'),
      })
      return controlsOf(replica)
    },
  }
}

/** Faults of a PostgreSQL. */
function controlsOf(postgres: Awaited<ReturnType<typeof startDebianPostgres>>) {
  const { url, port, folder, start, stop, stopImmediate, program } = postgres
  return {
    url,
    port,
    folder,
    get child() {
      return postgres.child
    },
    stop,
    stopImmediate,
    /** Shuts down, aborting transactions, and keeps the data; `start` resumes. */
    stopFast: () => postgres.end('SIGINT'),
    /** SIGKILL to the postmaster; its children detect that by themselves. */
    kill: () => postgres.end('SIGKILL'),
    start,
    /** Suspends all of its processes: connections stay open and nothing responds. @returns a function that resumes them */
    pause: () => pause(postgres.child),
    /** Promotes a replica. */
    promote: () => program('pg_ctl', 'promote', '-w', '-D', `${folder}/data`),
  }
}
