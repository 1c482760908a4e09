import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import type { DatabaseDiskReserve } from '../../database/database-disk.ts'
import type { Metrics } from '../../metrics.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `false`: served even while the disk of the database is nearly full, although it writes. */
    needsDiskSpace?: false
  }
}

const WRITES = ['POST', 'PUT', 'PATCH']

/** Whether an operation is refused while the disk of the database is nearly full. */
export const needsDiskSpace = (method: string | string[], config: { needsDiskSpace?: false } | undefined): boolean =>
  [method].flat().some((one) => WRITES.includes(one)) && config?.needsDiskSpace !== false

/** Refuses requests that create rows or files while the disk of the database has less free space than its reserve; reads and deletions are served. Call it before routes are added. @throws 507 */
export function enforceDatabaseReserve(
  app: FastifyInstance,
  { reserve, metrics }: { reserve: DatabaseDiskReserve; metrics: Metrics },
) {
  const refused = metrics.counter(
    'cairn_writes_refused_total',
    'Writes refused because the disk of the database was nearly full',
  )
  const check: preParsingHookHandler = (request, _reply, _payload, done) => {
    // A route may have several methods.
    if (!WRITES.includes(request.method)) return done()
    reserve.assertFree().then(
      () => done(),
      (error) => {
        refused.inc()
        done(error)
      },
    )
  }
  app.addHook('onRoute', (route) => {
    if (needsDiskSpace(route.method, route.config)) route.preParsing = [check, route.preParsing ?? []].flat()
  })
}
