import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { decodeJwt } from 'jose'
import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { Clock } from '../../../platform/database/clock.ts'
import { noticePage } from '../../../platform/html/page.ts'
import { pageTexts } from '../page-texts/index.ts'
import { builtInIssuer, CONSOLE_CLIENT } from '../provider/provider.ts'
import { CallbackQuery } from '../schema.ts'
import { pageFault, registerPageErrors, sendPage } from './page-responses.ts'
import { sealedCookie } from './sealed-cookie.ts'
import { COPY_SCRIPT, signedInPage } from './signed-in-page.ts'

type Deps = {
  secrets: Secrets
  publicUrl: () => string
  /** Where the console signs in; undefined if it is not built. */
  consoleUrl: () => string | undefined
  /** Opens a session for the user of an identity token. */
  exchange: (identityToken: string) => Promise<{ token: string; expiryTime: string }>
  clock: Clock
}
type PendingSignIn = { state: string; nonce: string; verifier: string }

/**
 * Sign-in without a console: the code flow with PKCE against the built-in issuer, then a page with the session token.
 */
export const signInRoutes =
  ({ secrets, publicUrl, consoleUrl, exchange, clock }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    await registerPageErrors(app, () => `${publicUrl()}/sign-in`)
    const callback = () => `${publicUrl()}/sign-in/callback`
    const issuer = () => builtInIssuer(publicUrl())
    const cookie = sealedCookie<PendingSignIn>({
      name: 'cairn_sign_in',
      seconds: 1800,
      address: () => `${publicUrl()}/sign-in`,
      ...{ secrets, clock },
    })

    app.get('/sign-in', { schema: { hide: true } }, async (request, reply) => {
      if (isByOtherName(request.headers.host, publicUrl())) return reply.redirect(`${publicUrl()}/sign-in`, 303)
      const random = () => randomBytes(32).toString('base64url')
      const pending: PendingSignIn = { state: random(), nonce: random(), verifier: random() }
      const parameters = new URLSearchParams({
        client_id: CONSOLE_CLIENT,
        response_type: 'code',
        redirect_uri: callback(),
        scope: 'openid email profile',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
        code_challenge_method: 'S256',
      })
      cookie.set(reply, pending)
      return reply
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .redirect(`${issuer()}/auth?${parameters}`, 303)
    })

    app.get('/sign-in/callback', { schema: { hide: true, querystring: CallbackQuery } }, async (request, reply) => {
      const pending = cookie.valueIn(request)
      const { code, state, iss, error } = request.query
      if (!pending || state !== pending.state || iss !== issuer()) throw pageFault(request, (texts) => texts.expired)
      cookie.remove(reply)
      if (!code) throw pageFault(request, (texts) => texts.incomplete(error))

      const identityToken = await redeem(app, request, code, pending.verifier)
      const { nonce, preferred_username } = decodeJwt(identityToken)
      if (nonce !== pending.nonce) throw pageFault(request, (texts) => texts.otherSignIn)
      const { token, expiryTime } = await exchange(identityToken)
      const session = { login: String(preferred_username), token, expiryTime }
      const addresses = { publicUrl: publicUrl(), consoleUrl: consoleUrl() }
      return sendPage(reply, signedInPage(session, addresses, pageTexts(request)))
    })

    app.get('/sign-in/copy.js', { schema: { hide: true } }, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(COPY_SCRIPT),
    )

    /** Exchanges the code at the built-in token endpoint, without a network request. */
    async function redeem(server: FastifyInstance, request: FastifyRequest, code: string, verifier: string) {
      const answer = await server.inject({
        method: 'POST',
        url: '/oidc/token',
        remoteAddress: request.ip,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: CONSOLE_CLIENT,
          code,
          code_verifier: verifier,
          redirect_uri: callback(),
        }).toString(),
      })
      const { id_token } = answer.json() as { id_token?: string }
      if (!id_token) throw pageFault(request, (texts) => texts.done)
      return id_token
    }
  }

/** Used if the built-in issuer is off. */
export const signInElsewhere =
  (issuers: string[]): FastifyPluginAsyncZod =>
  async (app) => {
    app.get('/sign-in', { schema: { hide: true } }, async (request, reply) => {
      const { signIn, elsewhere, nowhere } = pageTexts(request)
      return sendPage(reply, noticePage(signIn, issuers.length > 0 ? elsewhere(issuers.join(', ')) : nowhere))
    })
  }

/** "localhost" for 127.0.0.1: the sign-in would return to the other name, for which the browser has no cookie. */
function isByOtherName(host: string | undefined, publicUrl: string): boolean {
  const { hostname, port } = new URL(publicUrl)
  return hostname === '127.0.0.1' && host === `localhost:${port}`
}
