import * as oauth from 'oauth4webapi'
import { messages } from '../messages/index.ts'
import type { Settings } from './console-settings.ts'

type SignIn = NonNullable<Settings['signIn']>
/** Stored while the user is at the issuer. */
type PendingSignIn = { verifier: string; state: string; nonce: string; backTo: string }

const texts = messages.shell.signIn
const STORAGE_KEY = 'cairn-sign-in'
/** The ID token of the last sign-in, for signing out at the issuer. */
const ID_TOKEN_KEY = 'cairn-identity'
const callback = () => `${location.origin}/console/callback`

/** Issuers use https, except for a local service. */
const insecure = (issuer: string) => ({ [oauth.allowInsecureRequests]: issuer.startsWith('http:') })

async function discover({ issuer }: SignIn): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer)
  const response = await oauth.discoveryRequest(url, insecure(issuer))
  return oauth.processDiscoveryResponse(url, response)
}

/** Redirects to the issuer (OpenID Connect authorization code flow with PKCE, RFC 7636, S256). @param backTo the console path to return to */
export async function startSignIn(signIn: SignIn, backTo: string): Promise<void> {
  const server = await discover(signIn)
  if (!server.authorization_endpoint) throw new Error(texts.noEndpoint(signIn.issuer))
  const pending: PendingSignIn = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    backTo,
  }
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(pending))
  const to = new URL(server.authorization_endpoint)
  to.search = new URLSearchParams({
    ...Object.fromEntries(to.searchParams),
    client_id: signIn.clientId,
    redirect_uri: callback(),
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    state: pending.state,
    nonce: pending.nonce,
  }).toString()
  location.assign(to)
}

/** Completes the sign-in after the redirect. @returns the verified ID token and the path to return to @throws if the issuer returned an error or the response does not match the request */
export async function completeSignIn(signIn: SignIn, answer: URL): Promise<{ identityToken: string; backTo: string }> {
  const kept = sessionStorage.getItem(STORAGE_KEY)
  if (!kept) throw new Error(texts.notBegun)
  const pending = JSON.parse(kept) as PendingSignIn
  const server = await discover(signIn)
  const client: oauth.Client = { client_id: signIn.clientId }
  const params = answered(() => oauth.validateAuthResponse(server, client, answer, pending.state))
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    params,
    callback(),
    pending.verifier,
    insecure(signIn.issuer),
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: pending.nonce,
    requireIdToken: true,
  })
  sessionStorage.removeItem(STORAGE_KEY)
  localStorage.setItem(ID_TOKEN_KEY, tokens.id_token!)
  return { identityToken: tokens.id_token!, backTo: pending.backTo }
}

/** The URL that ends the session at the issuer and returns to the console (OpenID Connect RP-Initiated Logout 1.0). Deletes the stored ID token. @returns undefined if the issuer does not support it @throws if the issuer does not answer */
export async function endSessionUrl(signIn: SignIn): Promise<URL | undefined> {
  const identityToken = localStorage.getItem(ID_TOKEN_KEY)
  localStorage.removeItem(ID_TOKEN_KEY)
  if (!identityToken) return undefined
  const { end_session_endpoint } = await discover(signIn)
  if (!end_session_endpoint) return undefined
  const to = new URL(end_session_endpoint)
  to.search = new URLSearchParams({
    ...Object.fromEntries(to.searchParams),
    id_token_hint: identityToken,
    client_id: signIn.clientId,
    post_logout_redirect_uri: `${location.origin}/console/`,
  }).toString()
  return to
}

/** Rethrows the issuer's error with our message (RFC 6749, 4.1.2.1). */
function answered<Answer>(read: () => Answer): Answer {
  try {
    return read()
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError)
      throw new Error(texts.refusedBecause(error.error, error.error_description), { cause: error })
    throw error
  }
}
