import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { Callers } from '../../credentials/callers.ts'
import type { Guards } from '../../credentials/guards.ts'
import { HttpError } from '../../errors.ts'
import { isRead } from '../requests/is-read.ts'
import { addressBlock } from './address-block.ts'
import {
  afterCounting,
  type Counted,
  createQuota,
  type Quota,
  refusalOf,
  setQuotaHeaders,
  type Taken,
  tooMany,
} from './quotas.ts'
import type { SharedCounts } from './shared-counts.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `none`: never limited. `exchange`: failures also count against the failed exchanges of the address. */
    limit?: 'none' | 'exchange'
    /** How many requests a request counts as, from its query before validation. Default: one. */
    cost?: (query: unknown, isKnown: boolean) => number
  }
  interface FastifyRequest {
    /** Adds to the count of a request that was counted as one. */
    countMore?: (more: number) => void
  }
}

/** A list counts as one request for each of these rows. */
const ROWS_A_REQUEST = 1000

/** Counts a list by its rows, before they are written: one request for each 1,000 rows, including the one already counted. The list is served even when that exceeds the quota; the caller's next request is refused. */
export function countRows(request: FastifyRequest, rows: number) {
  if (rows > ROWS_A_REQUEST) request.countMore?.(Math.ceil(rows / ROWS_A_REQUEST) - 1)
}

type Name = 'key' | 'player' | 'user' | 'address' | 'exchange'

export type Limits = Record<Name, Quota>

const OF: Record<Name, string> = {
  key: 'this app key',
  player: 'this player',
  user: 'this user',
  address: 'this address without a session, a server key or a player token',
  exchange: 'this address for failed sign-ins',
}

/** Requests a minute of each caller. @param shared counts of all processes, if several serve */
export function createLimits(config: Config, shared?: SharedCounts): Limits {
  const perMinute = (name: Name, quota: number) =>
    createQuota(
      {
        name,
        quota,
        windowSeconds: 60,
        refusal: (quota) => `More than ${quota} requests per minute for ${OF[name]}`,
      },
      shared,
    )
  return {
    key: perMinute('key', config.CAIRN_LIMIT_KEY_PER_MINUTE),
    player: perMinute('player', config.CAIRN_LIMIT_PLAYER_PER_MINUTE),
    user: perMinute('user', config.CAIRN_LIMIT_USER_PER_MINUTE),
    address: perMinute('address', config.CAIRN_LIMIT_ADDRESS_PER_MINUTE),
    exchange: perMinute('exchange', config.CAIRN_LIMIT_EXCHANGES_PER_MINUTE),
  }
}

/**
 * Counts every request against its app key, its user or, without a valid credential, its address: after the credential is
 * checked and before the body is read. Everyone who has a published game has its client key. Such a request also counts
 * against its player or, without a player token, its address: once that quota is used up, it does not count against the key.
 * A read that needs no credential counts against those it sends, if valid. Every response has the remaining quota. Call it
 * before routes are added. @throws 429
 */
export function limitRequests(app: FastifyInstance, { limits, guards }: { limits: Limits; guards: Guards }) {
  const exchanges = new WeakMap<FastifyRequest, Taken>()
  // A property, because a WeakMap of all requests is expensive for the garbage collector.
  app.decorateRequest('countMore')

  // The hot path: counting in memory awaits and throws nothing.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { limit, cost } = request.routeOptions.config
    if (limit === 'none') return done()
    const [app, user] = [guards.maybeAppOf(request), guards.maybeUserOf(request)]
    const amount = cost?.(request.query, app !== undefined || user !== undefined) ?? 1
    if (app || user || !isNamedRead(request)) return count({ app, user, player: guards.maybePlayerOf(request) })
    guards.namedBy(request).then(count, done)

    function count({ app, user, player }: Callers) {
      const counted: Counted[] = []
      if (app) counted.push(limits.key.take(app.countedAs, amount))
      if (user) counted.push(limits.user.take(user.id, amount))
      if (app && player) counted.push(limits.player.take(`${app.id} ${player.id}`, amount))
      else if (counted.length === 0 || (app?.kind === 'client' && !user))
        counted.push(limits.address.take(addressBlock(request.ip), amount))
      if (limit === 'exchange') counted.push(limits.exchange.take(addressBlock(request.ip)))
      afterCounting(counted, (taken) => {
        if (limit === 'exchange') exchanges.set(request, taken.at(-1)!)
        request.countMore = (more) => {
          for (const { of, caller } of taken) void limits[of.name as Name].take(caller, more)
        }
        const isDeviceOver = taken.some(({ of, isOver }) => isOver && (of.name === 'player' || of.name === 'address'))
        if (app && isDeviceOver) limits.key.uncount(taken[0]!, amount)
        setQuotaHeaders(reply, taken)
        done(refusalOf(taken))
      })
    }
  })

  app.addHook('onRoute', (route) => {
    if (route.config?.limit !== 'exchange') return
    route.onResponse = [route.onResponse ?? [], uncountExchange].flat()
  })

  function uncountExchange(request: FastifyRequest, reply: FastifyReply, done: () => void) {
    const taken = exchanges.get(request)
    if (taken && reply.statusCode < 400) limits.exchange.uncount(taken)
    done()
  }
}

/** Whether a request is a read that sends a credential. */
const isNamedRead = (request: FastifyRequest) =>
  isRead(request) && (request.headers.authorization !== undefined || request.headers['x-app-api-key'] !== undefined)

/** Counts a request with a refused credential, or with a key that does not allow it, against its address. @returns the error, or 429 once the address has used up its quota */
export async function refusedFrom(limits: Limits, request: FastifyRequest, refusal: unknown): Promise<unknown> {
  if (!(refusal instanceof HttpError) || ![401, 403].includes(refusal.status)) return refusal
  const taken = await limits.address.take(addressBlock(request.ip))
  return taken.isOver ? tooMany(taken) : refusal
}
