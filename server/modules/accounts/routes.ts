import type { FastifyPluginAsync, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Secrets } from '../../platform/credentials/secrets.ts'
import type { Clock } from '../../platform/database/clock.ts'
import { interactionRoutes } from './provider/interaction-routes.ts'
import type { BuiltInProvider } from './provider/provider.ts'
import type { AccountService } from './service.ts'
import { firstAdminRoutes } from './sign-in/first-admin-routes.ts'
import type { NewAccountCookie } from './sign-in/new-account-cookie.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'

/** Opens a session for a verified identity token. */
export type Exchange = (identityToken: string) => Promise<{ token: string; expiryTime: string }>

type Deps = {
  accounts: AccountService
  newAccount: NewAccountCookie
  /** Created on first use: the public address is known only once the service listens. */
  box: () => Promise<BuiltInProvider>
  publicUrl: () => string
  /** Where the console signs in; undefined if it is not built. */
  consoleUrl: () => string | undefined
  /** Where people sign in: the console or, if it is not built, the page that shows a token. */
  goOnAt: () => string
  secrets: Secrets
  exchange: Exchange
  clock: Clock
}

/** The built-in issuer below /oidc, its pages, and the sign-in page for use without the console. */
export const accountRoutes =
  (parts: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(providerRoutes(parts.box))
    await app.register(interactionRoutes(parts))
    await app.register(signInRoutes(parts))
    await app.register(firstAdminRoutes(parts))
  }

/** A sign-in is stored until it ends or expires, so starting one counts as this many requests. */
const COST_OF_BEGINNING = 10

/** Hands requests to the provider unparsed: it reads bodies and writes responses itself. */
const providerRoutes =
  (box: () => Promise<BuiltInProvider>): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, done) => done(null))
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const { handle } = await box()
      reply.hijack()
      reply.raw.setHeader('x-request-id', request.id)
      reply.raw.setHeader('x-content-type-options', 'nosniff')
      await handle(request.raw, reply.raw)
    }
    const route = { method: ['GET', 'POST'], schema: { hide: true } as object, handler } satisfies Partial<RouteOptions>
    app.route({
      ...route,
      url: '/oidc/auth',
      config: { needsDiskSpace: false, holdsSecret: true, cost: () => COST_OF_BEGINNING },
    })
    app.route({ ...route, url: '/oidc/*', config: { needsDiskSpace: false, holdsSecret: true } })
  }
