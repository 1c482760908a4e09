import * as client from 'openid-client'
import { type Visitor, visitor } from '../scriptless-browser.ts'

export const CALLBACK = 'http://127.0.0.1:1/callback'

/** A client library configured for the built-in issuer. */
export const boxClient = (url: string, clientId = 'cairn-cli') =>
  client.discovery(new URL(`${url}/oidc`), clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  })

/** Starts the code flow with PKCE. @returns the URL for the browser, and a function that finishes it */
export async function beginFlow(url: string, { clientId = 'cairn-cli', redirect = CALLBACK, extra = {} } = {}) {
  const config = await boxClient(url, clientId)
  const verifier = client.randomPKCECodeVerifier()
  const nonce = client.randomNonce()
  const start = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: 'openid email profile',
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...extra,
  })
  return {
    start,
    finish: (callback: string, pkceCodeVerifier = verifier) =>
      client.authorizationCodeGrant(config, new URL(callback), { pkceCodeVerifier, expectedNonce: nonce }),
  }
}

/** Signs in at the built-in issuer as a program on the device. @returns the identity token */
export async function signInAtBox(
  url: string,
  { login, password, who = visitor() }: { login: string; password: string; who?: Visitor },
): Promise<string> {
  const { start, finish } = await beginFlow(url)
  await who.open(start)
  const last = await who.submit({ login, password })
  if (!last.url.startsWith(CALLBACK)) throw new Error(`Not signed in: ${last.status}\n${last.html}`)
  const { id_token } = await finish(last.url)
  return id_token!
}
