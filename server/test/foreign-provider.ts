import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

export const CLIENT = 'cairn-console-elsewhere'

/** A real OpenID provider on loopback besides the built-in one, for the console and programs as a public client with PKCE. Accepts any login and password. `serve` starts it once the URL of the service is known. */
export async function listenAsProvider() {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'foreign', use: 'sig', alg: 'ES256' }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    /** @param endsSessions whether its metadata has an end_session_endpoint */
    serve(console: string, { endsSessions }: { endsSessions: boolean }) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT,
            token_endpoint_auth_method: 'none',
            application_type: 'native',
            // Of the console, and of programs on this machine with any port (RFC 8252 §7.3).
            redirect_uris: [`${console}callback`, 'http://127.0.0.1/callback'],
            grant_types: ['authorization_code', 'refresh_token'],
            post_logout_redirect_uris: [console],
            id_token_signed_response_alg: 'ES256',
          },
        ],
        scopes: ['openid', 'email', 'profile', 'offline_access'],
        clientAuthMethods: ['none'],
        pkce: { required: () => true },
        features: { rpInitiatedLogout: { enabled: endsSessions } },
        clientBasedCORS: () => true,
        cookies: { keys: ['tests'] },
        jwks: { keys: [jwk as never] },
        ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 60, IdToken: 600, RefreshToken: 600 },
        findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
      })
      server.on('request', provider.callback())
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
