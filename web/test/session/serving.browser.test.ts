import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole({ CAIRN_MAP_HOSTS: 'https://tiles.example' })
})
afterAll(() => opened.stop())

const page = (path: string) => fetch(`${opened.service.url}/console${path}`)
const policyOf = (headers: Headers) =>
  new Map(
    headers
      .get('content-security-policy')!
      .split('; ')
      .map((rule): [string, string] => [rule.split(' ')[0]!, rule.slice(rule.indexOf(' ') + 1)]),
  )

test('every URL of the console returns its page, uncached, with a policy that forbids inline scripts and frames', async () => {
  for (const path of ['/', '/apps', '/apps/no-such/players', '/map?lat=1&lon=2', '/no/such/page']) {
    const answer = await page(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const policy = policyOf(answer.headers)
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('script-src')).toBe("'self' 'wasm-unsafe-eval'")
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect(policy.get('connect-src')).toContain('https://tiles.example')
    expect([...policy.values()].join()).not.toMatch(/unsafe-inline|'unsafe-eval'|\*/)
    const [, nonce] = /'nonce-([^']+)'/.exec(policy.get('style-src')!)!
    const html = await answer.text()
    expect(html).toContain(`nonce="${nonce}"`)
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|__NONCE__/)
  }
})

test('the nonce of a page is never that of another', async () => {
  const nonces = await Promise.all(
    Array.from({ length: 20 }, async () => policyOf((await page('/')).headers).get('style-src')),
  )
  expect(new Set(nonces).size).toBe(20)
})

test('what the page loads is kept for a year and sent compressed; what is not there is 404', async () => {
  const html = await (await page('/')).text()
  const [, script] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)!
  const url = opened.service.url + script
  const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('cache-control')).toMatch(/max-age=31536000.*immutable/)
  const text = await plain.text()
  const packed = await fetch(url, { headers: { 'accept-encoding': 'br' } })
  expect(packed.headers.get('content-encoding')).toBe('br')
  expect(await packed.text()).toBe(text)
  expect((await fetch(`${opened.service.url}/console/assets/no-such.js`)).status).toBe(404)
})

test('the settings name the sign-in methods and whether there is an admin, and nothing secret', async () => {
  const { service, person } = opened
  const settings = async () => (await service.anonymous.get('/console/settings.json')).body
  expect(await settings()).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    publicUrl: service.url,
    signIn: { issuer: `${service.url}/oidc`, clientId: 'cairn-console', isBox: true },
    needsFirstAdmin: true,
    mapStyleUrl: null,
    mapArchive: null,
  })
  await person({ name: 'first', roles: ['admin'] })
  expect((await settings()).needsFirstAdmin).toBe(false)
})
