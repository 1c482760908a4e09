import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Guards } from '../../credentials/guards.ts'
import type { AuditChanges, AuditLog } from '../../database/audit.ts'
import type { AuditAction } from '../../database/audit-actions.ts'
import type { Log } from '../../logging/log.ts'

type Parts = { guards: Guards; audit: AuditLog; actions: Record<string, AuditAction>; log: Log }

/** What a request changed, for its audit entry. */
const changed = new WeakMap<FastifyRequest, AuditChanges>()

/** The record that a request created. Read before the response is written and perhaps compressed. */
const created = new WeakMap<FastifyRequest, string>()

/** Notes the record that a request created, where the response does not have its `id` as a member. */
export const noteCreated = (request: FastifyRequest, id: string | number) => void created.set(request, String(id))

/** Notes what a request changes, for its audit entry. */
export const noteChanges = (request: FastifyRequest, changes: AuditChanges) => void changed.set(request, changes)

/**
 * Writes an audit entry for each successful write of a person. Requests with an app key alone write none: a game writes
 * scores all the time. Must be called before routes are registered.
 * @param actions the action of each audited operation
 */
export function auditWrites(http: FastifyInstance, { guards, audit, actions, log }: Parts): void {
  http.addHook('onRoute', (route) => {
    const action = actions[String((route.schema as { operationId?: string } | undefined)?.operationId)]
    if (!action) return
    if (!route.url.includes(':'))
      route.preSerialization = [
        ...[route.preSerialization ?? []].flat(),
        (request, _reply, payload, done) => {
          const { id } = payload as { id?: string | number }
          if (id !== undefined) noteCreated(request, id)
          done(null, payload)
        },
      ]
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (request, reply, payload, done) => {
        const user = guards.maybeUserOf(request)
        const isWritten = reply.statusCode < 300 && !reply.hasHeader('idempotency-replayed') && !isDryRun(request)
        const subject = user && isWritten ? subjectOf(request) : undefined
        if (!user || !subject) return done(null, payload)
        const entry = { actor: user.id, address: request.ip, action, subject }
        const details = { appId: guards.maybeAppOf(request)?.id, changes: changed.get(request) }
        void audit
          .record([{ ...entry, ...details }])
          .catch((error: unknown) => log.error({ err: error, ...entry }, 'failed to write an audit entry'))
          .then(() => done(null, payload))
      },
    ]
  })
}

const isDryRun = (request: FastifyRequest) => (request.query as { dryRun?: boolean }).dryRun === true

type Named = { csvUploadId?: string }

/** The ID of the affected record: that in the path, or of the record that was created. */
function subjectOf(request: FastifyRequest): string | undefined {
  const { body, query } = request as { body?: Named | null; query: Named }
  const named = body?.csvUploadId ?? query.csvUploadId
  if (named !== undefined) return named
  const ids = Object.values(request.params as Record<string, string>)
  return ids.length > 0 ? ids.join('/') : created.get(request)
}
