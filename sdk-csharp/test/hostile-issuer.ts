import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Claims = Record<string, unknown>

/** An issuer that answers wrongly, which a real one cannot be made to do: it returns ID tokens with any claims. */
export async function startHostileIssuer() {
  const issuer = { url: '', claims: {} as Claims, document: {} as Claims }
  const server = createServer((request, response) => {
    const reply = (body: object): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.url === '/.well-known/openid-configuration')
      return reply({
        issuer: issuer.url,
        authorization_endpoint: `${issuer.url}/page`,
        token_endpoint: `${issuer.url}/token`,
        authorization_response_iss_parameter_supported: true,
        ...issuer.document,
      })
    return reply({ id_token: ['{}', JSON.stringify(issuer.claims), 'signature'].map(toBase64Url).join('.') })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: issuer.url,
    /** Returns from the page of a sign-in with a code for a token with these claims beside the right ones. */
    async comeBack(page: URL, claims: Claims = {}, answer: Record<string, string> = {}) {
      const asked = page.searchParams
      issuer.claims = {
        iss: issuer.url,
        aud: asked.get('client_id'),
        nonce: asked.get('nonce'),
        exp: Math.floor(Date.now() / 1000) + 300,
        ...claims,
      }
      const given = { state: asked.get('state')!, iss: issuer.url, code: 'a code', ...answer }
      return fetch(`${asked.get('redirect_uri')}?${new URLSearchParams(given)}`)
    },
    /** Changes members of the discovery document. */
    describe(document: Claims) {
      issuer.document = document
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const toBase64Url = (text: string) => Buffer.from(text).toString('base64url')
