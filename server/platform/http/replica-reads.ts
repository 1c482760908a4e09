import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Guards } from '../credentials/guards.ts'
import type { Replica } from '../database/replica/replica.ts'
import { addressBlock } from './limits/address-block.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `latest`: the answer shows everything written before it was asked for, whoever wrote it. */
    reads?: 'latest'
    /** The answer to a GET reports what was written on the caller's behalf: what the caller reads next shows it. */
    reportsWrites?: true
  }
}

type Deps = { replica: Replica; guards: Guards }

/** Lets reading requests be answered by the replica, each from when on it shows what its caller has written. */
export function readFromReplica(http: FastifyInstance, { replica, guards }: Deps) {
  /** Whoever this is, under every name: routes that are open to all do not look who asks, but the same client sends the same words to them. */
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

  // Whatever is asked for in the course of a request that writes, and outside of any, is asked of the primary.
  http.addHook('onRequest', (request, _reply, done) => {
    if (!isReading(request)) return done()
    replica.reading(() => callersOf(request), request.routeOptions.config?.reads === 'latest', done)
  })

  http.addHook('onSend', (request, reply, payload, done) => {
    const isRefused = reply.statusCode >= 400 && reply.statusCode < 500
    const isTold = !isReading(request) || request.routeOptions.config?.reportsWrites === true
    if (isRefused || !isTold || request.method === 'OPTIONS') return done(null, payload)
    replica.wrote(callersOf(request)).then(() => done(null, payload), done)
  })
}

const isReading = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

/** Credentials themselves are in no cache. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
