import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Guards } from '../credentials/guards.ts'
import type { Replica } from '../database/replica/replica.ts'
import { addressBlock } from './limits/address-block.ts'
import { isRead } from './requests/is-read.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `latest`: the response includes every write before the request, of any caller. */
    reads?: 'latest'
    /** The response to a GET reports writes made for the caller, which the caller's next reads must include. */
    reportsWrites?: true
  }
}

type Deps = { replica: Replica; guards: Guards }

/** Allows reads to use the replica, once it includes the caller's own writes. */
export function readFromReplica(http: FastifyInstance, { replica, guards }: Deps) {
  /**
   * All identities of the caller: public routes do not check credentials, but the same client sends the same ones to
   * them.
   */
  const callersOf = (request: FastifyRequest): string[] => {
    const [user, app] = [guards.maybeUserOf(request), guards.maybeAppOf(request)]
    const words = [request.headers.authorization, request.headers['x-app-api-key']?.toString()]
    const known = [
      user && `user ${user.id}`,
      app && `app ${app.id}`,
      ...words.map((one) => one && `words ${hash(one)}`),
    ]
    const callers = known.filter((caller) => typeof caller === 'string' && caller !== '') as string[]
    return callers.length > 0 ? callers : [`address ${addressBlock(request.ip)}`]
  }

  // Requests that write, and queries outside of requests, use the primary.
  http.addHook('onRequest', (request, _reply, done) => {
    if (!isRead(request)) return done()
    replica.reading(() => callersOf(request), request.routeOptions.config?.reads === 'latest', done)
  })

  http.addHook('onSend', (request, reply, payload, done) => {
    const isRefused = reply.statusCode >= 400 && reply.statusCode < 500
    const isTold = !isRead(request) || request.routeOptions.config?.reportsWrites === true
    if (isRefused || !isTold || request.method === 'OPTIONS') return done(null, payload)
    replica.wrote(callersOf(request)).then(() => done(null, payload), done)
  })
}

/** Hashed, so that no cache holds credentials. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
