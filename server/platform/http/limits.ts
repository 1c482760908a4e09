import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Guards } from '../credentials/guards.ts'
import { HttpError } from '../errors.ts'
import { addressBlock } from './address-block.ts'
import { createQuota, type Quota, refuseOver, showQuotas, type Taken, tooMany } from './quotas.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `none`: never limited. `exchange`: what fails here also counts against the failed exchanges of its address. */
    limit?: 'none' | 'exchange'
    /** What comes in is kept. `request` counts against the uploads of its sender as one and by its bytes, `chunk` by its bytes alone. */
    upload?: 'request' | 'chunk'
  }
}

type Name = 'key' | 'user' | 'address' | 'exchange'

export type Limits = Record<Name, Quota>

const OF: Record<Name, string> = {
  key: 'this app key',
  user: 'this user',
  address: 'this address without a credential',
  exchange: 'this address for failed sign-ins',
}

/** How many requests a minute each caller may make. */
export function createLimits(config: Config): Limits {
  const perMinute = (name: Name, quota: number) =>
    createQuota({
      name,
      quota,
      windowSeconds: 60,
      refusal: `More than ${quota} requests a minute for ${OF[name]}`,
    })
  return {
    key: perMinute('key', config.CAIRN_LIMIT_KEY_PER_MINUTE),
    user: perMinute('user', config.CAIRN_LIMIT_USER_PER_MINUTE),
    address: perMinute('address', config.CAIRN_LIMIT_ADDRESS_PER_MINUTE),
    exchange: perMinute('exchange', config.CAIRN_LIMIT_EXCHANGES_PER_MINUTE),
  }
}

/** Counts every request against its app key, its user, or, without a good credential, its address, once the credential was checked and before a body is read. Says in each answer what is left. @throws 429 */
export function limitRequests(app: FastifyInstance, { limits, guards }: { limits: Limits; guards: Guards }) {
  app.addHook('preParsing', async (request, reply) => {
    const { limit } = request.routeOptions.config
    if (limit === 'none') return
    const key = guards.maybeAppOf(request)?.id
    const user = guards.maybeUserOf(request)?.id
    const taken: Taken[] = []
    if (key) taken.push(await limits.key.take(key))
    if (user) taken.push(await limits.user.take(user))
    if (taken.length === 0) taken.push(await limits.address.take(addressBlock(request.ip)))
    if (limit === 'exchange') taken.push(await limits.exchange.take(addressBlock(request.ip)))
    showQuotas(reply, taken)
    refuseOver(taken)
  })

  app.addHook('onResponse', async (request, reply) => {
    const isExchange = request.routeOptions.config.limit === 'exchange'
    if (isExchange && reply.statusCode < 400) await limits.exchange.giveBack(addressBlock(request.ip))
  })
}

/** A request whose credential was refused counts against its address. @returns what to answer: the refusal, or 429 once the address has used its requests up */
export async function refusedFrom(limits: Limits, request: FastifyRequest, refusal: unknown): Promise<unknown> {
  if (!(refusal instanceof HttpError) || refusal.status !== 401) return refusal
  const taken = await limits.address.take(addressBlock(request.ip))
  return taken.isOver ? tooMany(taken) : refusal
}
