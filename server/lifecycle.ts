import type { FastifyInstance } from 'fastify'
import type { BackupsModule } from './modules/backups/index.ts'
import type { Exports } from './modules/exports/index.ts'
import type { Files } from './modules/files/index.ts'
import type { Scans } from './modules/scans/index.ts'
import type { Scoring } from './modules/scoring/index.ts'
import type { Surveys } from './modules/surveys/index.ts'
import type { Tags } from './modules/tags/index.ts'
import type { Uploads } from './modules/uploads/index.ts'
import type { Webhooks } from './modules/webhooks/index.ts'
import type { Platform } from './platform/platform.ts'

type Modules = {
  files: Files
  uploads: Uploads
  scoring: Scoring
  webhooks: Webhooks
  surveys: Surveys
  exports: Exports
  scans: Scans
  tags: Tags
  backups: BackupsModule
}

/** Longer than any upload takes to arrive. */
const LEFT_BEHIND_MS = 60 * 60_000
/** Time for requests, and then jobs, to end once no more are accepted. */
const STOP_MS = 9_500

/** The order in which a process starts and stops. */
export function lifecycle(platform: Platform, http: FastifyInstance, modules: Modules) {
  const { config, addresses, changes, objects, images, jobs, presence, tokens, redis, reads, processes } = platform
  const { files, uploads, scoring, webhooks, surveys, exports, scans, tags, backups } = modules

  return {
    /** Starts the jobs and listens: on an address, or on a socket file of a process that answers no requests. @returns the URL */
    async start(where: { host: string; port: number } | { path: string; address: string }): Promise<string> {
      await objects.check()
      if (redis) await (await import('./platform/redis/redis.ts')).connectRedis(redis)
      await processes?.connect()
      const isAlone = await presence.join()
      // If no other process serves, unfinished uploads are those of a killed process.
      const olderThanMs = isAlone ? 0 : LEFT_BEHIND_MS
      // Before the jobs, whose unfinished files it would remove.
      await Promise.all([...[objects, images].map((one) => one.sweep({ olderThanMs })), tokens.ready()])
      const works = config.CAIRN_ROLE !== 'api'
      await Promise.all([
        jobs.start({ work: works, isAlone }),
        ...(works ? [webhooks.start({ isAlone })] : []),
        changes.start(),
      ])
      reads.replica?.start()
      if (config.CAIRN_ROLE !== 'worker') await scoring.ranks.start()
      if ('path' in where) addresses.listensOn(where.address)
      // A socket file is not shared by the processes of a cluster.
      const address = await http.listen('path' in where ? { path: where.path, exclusive: true } : where)
      if ('port' in where) {
        addresses.listensOn(address)
        processes?.listensOn(address)
      }
      backups.start()
      await processes?.listen()
      return address
    },

    /** Accepts no new connections, completes accepted requests and closes the database. */
    async stop() {
      const until = performance.now() + STOP_MS
      // Aborts a running backup, which then ends while connections are closed.
      const backupEnded = backups.stop()
      await http.close()
      await backupEnded
      await files.close()
      await images.close()
      // Requests that wait for a job may have taken most of the time.
      await jobs.stop(Math.max(STOP_MS / 10, until - performance.now()))
      await webhooks.close()
      await uploads.close()
      await Promise.all([surveys.close(), exports.close()])
      await Promise.all([scans.close(), tags.close()])
      await scoring.ranks.stop()
      await changes.stop()
      await presence.leave()
      await platform.close()
    },

    /** Closes the database; for when `start` was never called. */
    async close() {
      await webhooks.close()
      await scoring.ranks.stop()
      await platform.close()
    },
  }
}
