import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { languageOf } from '../../../platform/html/languages.ts'
import { noticePage, type Page, renderPage } from '../../../platform/html/page.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { PageTexts } from '../page-texts/english.ts'
import { pageTexts } from '../page-texts/index.ts'
import type { Account } from '../schema.ts'
import { signOutAtIssuer } from './issuer-sign-out.ts'
import type { ProviderKeys } from './provider-keys.ts'
import type { ProviderRecords } from './provider-records.ts'

/** The clients of the built-in issuer; there are no others. Both are public and need PKCE. */
export const CONSOLE_CLIENT = 'cairn-console'
export const COMMAND_LINE_CLIENT = 'cairn-cli'
export const CLIENTS = [CONSOLE_CLIENT, COMMAND_LINE_CLIENT]

const SCOPES = 'openid email profile'
/** Seconds. A sign-in lasts half a day, an unfinished one ten minutes; an identity token is for immediate exchange. */
const SIGNED_IN = 43_200
const UNFINISHED = 600
const TTL: Configuration['ttl'] = {
  // Visitors of the sign-out page get a session too.
  Session: (_context, { accountId }) => (accountId ? SIGNED_IN : UNFINISHED),
  Grant: SIGNED_IN,
  Interaction: UNFINISHED,
  AuthorizationCode: 60,
  AccessToken: 300,
  IdToken: 300,
}

type Deps = {
  /** The public address of the service, without a trailing slash. */
  publicUrl: string
  keys: ProviderKeys
  records: ProviderRecords
  findAccount: (login: string) => Promise<Account | undefined>
  log: Log
}

export type BuiltInProvider = Awaited<ReturnType<typeof createBuiltInProvider>>

/** The issuer that the built-in identity tokens name. */
export const builtInIssuer = (publicUrl: string) => `${publicUrl}/oidc`

/** The built-in OpenID provider (authorization code flow with PKCE S256 only), below /oidc of the public address. */
export async function createBuiltInProvider(parts: Deps) {
  const { publicUrl, log } = parts
  // Loaded by the first sign-in: it takes 20 MB and a tenth of a second.
  const { Provider } = await import('oidc-provider')
  const provider = new Provider(builtInIssuer(publicUrl), await configuration(parts))
  // Trusts the forwarding headers, which only `handle` writes.
  provider.proxy = true
  const logError = (error: Error) => log.error({ err: error }, 'the built-in issuer failed to respond')
  provider.on('server_error', (_context, error) => logError(error))
  // Koa's own errors, which it would otherwise print to the console.
  ;(provider as EventEmitter).on('error', logError)
  // The provider itself would answer an unknown path with plain text.
  provider.use(async (context, next) => {
    await next()
    if (context.status !== 404 || context.body !== undefined) return
    context.status = 404
    context.body = { error: `There is no operation ${context.method} /oidc${context.path}` }
  })
  const answer = provider.callback()
  const { host, protocol, pathname } = new URL(builtInIssuer(publicUrl))

  return {
    provider,
    /** Handles a request below /oidc. Links and cookies use the public address, regardless of the request. */
    handle(request: IncomingMessage & { originalUrl?: string; baseUrl?: string }, response: ServerResponse) {
      const below = request.url!.replace(/^\/oidc(?=[/?]|$)/, '') || '/'
      request.headers.host = host
      request.headers['x-forwarded-host'] = host
      request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
      request.baseUrl = pathname
      request.originalUrl = `${pathname}${below}`
      request.url = below
      return answer(request, response)
    },
  }
}

async function configuration({ publicUrl, keys, records, findAccount }: Deps): Promise<Configuration> {
  const publicClient = {
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    id_token_signed_response_alg: 'ES256',
    scope: SCOPES,
  } as const
  return {
    adapter: records.adapterOf,
    jwks: { keys: await keys.all() },
    cookies: {
      keys: [keys.cookieKey()],
      names: { session: 'cairn_session', interaction: 'cairn_interaction', resume: 'cairn_resume' },
      long: { httpOnly: true, sameSite: 'lax', path: new URL(builtInIssuer(publicUrl)).pathname },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    clients: [
      {
        ...publicClient,
        client_id: CONSOLE_CLIENT,
        client_name: 'the console',
        redirect_uris: [`${publicUrl}/console/callback`, `${publicUrl}/sign-in/callback`],
        post_logout_redirect_uris: [`${publicUrl}/console/`, `${publicUrl}/console`, `${publicUrl}/sign-in`],
      },
      {
        ...publicClient,
        client_id: COMMAND_LINE_CLIENT,
        client_name: 'a program on this device',
        application_type: 'native',
        // Any port is allowed (RFC 8252 §7.3).
        redirect_uris: ['http://127.0.0.1/callback'],
      },
    ],
    scopes: SCOPES.split(' '),
    claims: {
      openid: ['sub', 'account_version'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username'],
    },
    // The ID token itself carries the profile, as it is what gets exchanged.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    pkce: { required: () => true },
    ttl: TTL,
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    // The console asks from its own page; browsers send Origin even for the same origin.
    clientBasedCORS: (_context, origin, client) =>
      client.clientId === CONSOLE_CLIENT && origin === new URL(publicUrl).origin,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (context, form) => {
          const page = await signOutAtIssuer(context, form)
          if (page) show(context, page)
        },
        postLogoutSuccessSource: (context) => {
          const texts = pageTexts(context)
          show(context, noticePage(texts.signedOut, texts.signedOutText, signInAgain(publicUrl, texts)))
        },
      },
    },
    interactions: { url: (_context, { uid }) => `${publicUrl}/oidc/interaction/${uid}` },
    findAccount: async (_context, sub) => {
      const account = await findAccount(sub)
      return account?.login === sub ? { accountId: sub, claims: async () => claimsOf(account) } : undefined
    },
    loadExistingGrant,
    renderError: (context, { error_description: why, error }) => {
      const texts = pageTexts(context)
      show(context, noticePage(texts.refused, texts.refusedWhy(why ?? error), signInAgain(publicUrl, texts)))
    },
  }
}

const claimsOf = ({ login, email, version }: Account) => ({
  sub: login,
  preferred_username: login,
  ...(email ? { email, email_verified: false } : {}),
  account_version: version,
})

/** Both clients belong to this service, so users are not asked for consent. */
async function loadExistingGrant({ oidc }: KoaContextWithOIDC) {
  const { provider, session, client, result } = oidc
  const grantId = result?.consent?.grantId ?? session!.grantIdFor(client!.clientId)
  const known = grantId ? await provider.Grant.find(grantId) : undefined
  if (known && known.accountId === session!.accountId) return known
  const grant = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! })
  grant.addOIDCScope(SCOPES)
  await grant.save()
  return grant
}

function show(context: KoaContextWithOIDC, page: Page) {
  const { text, headers } = renderPage({ ...page, language: languageOf(context) })
  context.set(headers)
  context.body = text
}

const signInAgain = (publicUrl: string, texts: PageTexts) => ({ href: `${publicUrl}/sign-in`, text: texts.startAgain })
