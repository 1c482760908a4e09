import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'
import * as client from 'openid-client'

const CALLBACK = 'http://127.0.0.1:1/callback'
export const AUDIENCE = 'cairn-tests'

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

/** A real OpenID provider on loopback with the given accounts by subject. `signIn` performs the code flow with PKCE, including pages. */
export async function startIdentityProvider(accounts: Record<string, Record<string, unknown>>) {
  const keys = await generateKeyPair('ES256', { extractable: true })
  const privateJwk = { ...(await exportJWK(keys.privateKey)), kid: 'provider-key', use: 'sig', alg: 'ES256' }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: AUDIENCE,
        client_secret: 'a secret of the tests',
        redirect_uris: [CALLBACK],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    claims: {
      openid: ['sub', 'roles'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'preferred_username'],
    },
    conformIdTokenClaims: false,
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
    cookies: { keys: ['tests'] },
    jwks: { keys: [privateJwk as never] },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...accounts[sub] }) }),
  })
  provider.on('server_error', (_context: unknown, error: Error) => console.error(error))
  server.on('request', provider.callback())

  return {
    issuer,
    keys,
    /** An ID token of the account, obtained like a browser would. */
    async signIn(subject: string): Promise<string> {
      const config = await client.discovery(new URL(issuer), AUDIENCE, 'a secret of the tests', undefined, {
        execute: [client.allowInsecureRequests],
      })
      const verifier = client.randomPKCECodeVerifier()
      const start = client.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      const callback = await throughThePages(start, subject)
      const { id_token } = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier })
      return id_token!
    },
    /** A token with any claims signed with the provider's own key, as a compromised or careless provider could send. */
    sign: (claims: JWTPayload, header: { alg?: string; typ?: string; kid?: string } = {}) =>
      new SignJWT({ iss: issuer, aud: AUDIENCE, sub: 'forged', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'provider-key', ...header })
        .setIssuedAt()
        .setExpirationTime(claims.exp ?? '5m')
        .sign(keys.privateKey),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Follows the provider's redirects and submits its forms, keeping cookies, until it returns to the client. */
async function throughThePages(start: URL, subject: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let address = start
  let form: URLSearchParams | undefined
  for (let step = 0; step < 12; step++) {
    if (address.href.startsWith(CALLBACK)) return address
    const answer = await fetch(address, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { body: form } : {}),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      cookies.set(name!, value!)
    }
    form = undefined
    const location = answer.headers.get('location')
    if (location) address = new URL(location, address)
    else {
      const page = await answer.text()
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? []
      const [, action] = /action="([^"]+)"/.exec(page) ?? []
      if (!prompt || !action) throw new Error(`The provider showed an unexpected page:\n${page}`)
      address = new URL(action, address)
      form = new URLSearchParams(prompt === 'login' ? { prompt, login: subject, password: 'any' } : { prompt })
    }
  }
  throw new Error('The provider never redirected to the client')
}
