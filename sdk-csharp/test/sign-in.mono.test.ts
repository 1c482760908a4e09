import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { CLIENT, listenAsProvider } from '../../server/test/foreign-provider.ts'
import { visitor } from '../../server/test/scriptless-browser.ts'
import { type Service, startService } from '../../server/test/service.ts'
import { startHostileIssuer } from './hostile-issuer.ts'
import { compileForMono } from './mono-program.ts'

const PASSWORD = 'correct horse battery'

let service: Service
let program: ReturnType<typeof compileForMono>
let provider: Awaited<ReturnType<typeof listenAsProvider>>
let hostile: Awaited<ReturnType<typeof startHostileIssuer>>
beforeAll(async () => {
  program = compileForMono()
  provider = await listenAsProvider()
  service = await startService({
    CAIRN_OIDC: JSON.stringify([{ issuer: provider.issuer, audience: CLIENT }]),
    CAIRN_BOX_ISSUER: 'on',
  })
  provider.serve(`${service.url}/console/`, { endsSessions: false })
  await service.app.operator.accounts.add(
    { login: 'Ada', password: PASSWORD, roles: [] },
    { actor: 'operator', address: null },
  )
})
afterAll(async () => {
  await service?.stop()
  await provider?.stop()
  program?.remove()
})
beforeEach(async () => {
  hostile = await startHostileIssuer()
})
afterEach(() => hostile.stop())

/** Runs a case whose browser is `visit`. */
async function run(words: string[], visit: (page: URL) => Promise<unknown>): Promise<unknown> {
  const visits: Promise<unknown>[] = []
  const result = await program.run(words, { CAIRN_URL: service.url }, (line) => {
    if (line.startsWith('open ')) visits.push(visit(new URL(line.slice('open '.length))))
  })
  await Promise.all(visits)
  return result
}
const refusal = (visit: (page: URL) => Promise<unknown>) => run(['open-id-refusal', hostile.url], visit)

test('a user signs in at the service’s own issuer through the browser, and the session renews itself', async () => {
  const pages: string[] = []
  const result = await run(['open-id'], async (page) => {
    expect(page.searchParams.get('code_challenge_method')).toBe('S256')
    const who = visitor()
    await who.open(page)
    pages.push((await who.submit({ login: 'Ada', password: PASSWORD })).html)
  })
  expect(result).toEqual({ username: 'Ada', isRenewed: true, isLater: true })
  expect(pages).toEqual([expect.stringContaining('return to the program')])
})

test('a session that has ended is opened again with the refresh token of the issuer, which changes each time', async () => {
  const result = await run(['open-id-offline', provider.issuer, CLIENT], async (page) => {
    expect(page.searchParams.get('prompt')).toBe('consent')
    const who = visitor()
    await who.open(page)
    await who.submit({ login: 'ada', password: 'any' })
    await who.submit({})
  })
  expect(result).toEqual({ opened: [true, true], endsWhenRefused: true })
})

test('requests without the state of the sign-in do not end it', async () => {
  const statuses: number[] = []
  const result = await run(['open-id'], async (page) => {
    const callback = page.searchParams.get('redirect_uri')!
    for (const wrong of ['', '?state=other&code=stolen', '?code=stolen'])
      statuses.push((await fetch(callback + wrong)).status)
    statuses.push((await fetch(new URL('/favicon.ico', callback))).status)
    const who = visitor()
    await who.open(page)
    await who.submit({ login: 'Ada', password: PASSWORD })
  })
  expect(statuses).toEqual([404, 404, 404, 404])
  expect(result).toMatchObject({ username: 'Ada' })
})

test('a cancelled sign-in ends with OperationCanceledException', async () => {
  expect(await run(['open-id-leave'], async () => {})).toBe('cancelled')
})

test('the error of the issuer is the reason', async () => {
  expect(await refusal((page) => hostile.comeBack(page, {}, { error: 'access_denied' }))).toBe('access_denied')
})

test.each([
  ['of another issuer', { iss: 'https://elsewhere.example' }, 'wrong_issuer'],
  ['for another program', { aud: 'another' }, 'wrong_audience'],
  ['for several programs', { aud: ['hunt', 'another'] }, 'wrong_audience'],
  ['of another sign-in', { nonce: 'another' }, 'wrong_nonce'],
  ['that has expired', { exp: 1_700_000_000 }, 'expired'],
  ['without an end', { exp: undefined }, 'expired'],
])('an ID token %s is refused', async (_what, claims, reason) => {
  expect(await refusal((page) => hostile.comeBack(page, claims))).toBe(reason)
})

test('an answer that names another issuer is refused before its code is sent', async () => {
  expect(await refusal((page) => hostile.comeBack(page, {}, { iss: 'https://elsewhere.example' }))).toBe('wrong_issuer')
})

test('an issuer that names itself otherwise, or sends codes over an open network, is refused', async () => {
  hostile.describe({ issuer: 'https://elsewhere.example' })
  expect(await refusal(async () => {})).toBe('wrong_issuer')
  hostile.describe({ token_endpoint: 'http://192.0.2.1/token' })
  expect(await refusal(async () => {})).toBe('insecure')
})
