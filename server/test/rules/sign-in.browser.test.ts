import { createServer } from 'node:http'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { consoleIsBuilt } from '../../platform/http/console/console.ts'
import { type Service, startService } from '../service.ts'

const PASSWORD = 'correct horse battery'

let browser: Browser
let service: Service
beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  })
})
afterAll(() => browser.close())
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.stop())

/** The page does not scroll horizontally, loads nothing from other hosts, and violates no policy. */
async function isSound(page: Page) {
  const { wide, screen } = (await page.evaluate(
    '({ wide: document.documentElement.scrollWidth, screen: document.documentElement.clientWidth })',
  )) as { wide: number; screen: number }
  expect(wide).toBeLessThanOrEqual(screen)
  // The style is applied: otherwise the button has no colour.
  expect(await page.locator('main').evaluate('(main) => getComputedStyle(main).maxWidth' as never)).not.toBe('none')
}

describe.each([
  [
    'without scripts, on a phone, dark',
    { javaScriptEnabled: false, viewport: { width: 375, height: 700 }, colorScheme: 'dark' as const },
  ],
  ['with scripts, at a desk, light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' as const }],
  ['on a narrow phone', { viewport: { width: 320, height: 568 } }],
])('%s', (_name, options) => {
  test('from the first-admin link to an own app', async () => {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    page.setDefaultTimeout(120_000)
    const elsewhere: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) elsewhere.push(request.url())
    })
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) complaints.push(message.text())
    })

    await page.goto((await service.app.box.firstAdminLink())!)
    await isSound(page)
    await shoot(page, 'first-admin')
    await page.getByLabel('Login').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Password again').fill('something else')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('alert').getByText('The two passwords differ').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Password again').fill(PASSWORD)
    await page.keyboard.press('Enter')
    const hasScripts = !('javaScriptEnabled' in options) && consoleIsBuilt()
    await page.waitForURL(hasScripts ? /\/console\/welcome\// : (url) => url.pathname !== '/first-admin')
    // As on another day: nothing of that sign-in is left.
    await context.clearCookies()
    await page.goto(`${service.url}/sign-in`)

    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await isSound(page)
    expect(await page.getByLabel('Login').getAttribute('autocomplete')).toBe('username')
    await page.getByLabel('Login').fill('ada')
    await page.getByLabel('Password').fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Wrong login or password').waitFor()
    await shoot(page, 'wrong-password')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()

    await page.getByRole('heading', { name: 'Signed in as ada' }).waitFor()
    await isSound(page)
    await shoot(page, 'signed-in')
    const token = await page.locator('#token').textContent()
    const created = await service
      .as({ authorization: `Bearer ${token}` })
      .post('/api/v1/apps', { name: 'My game', description: 'A first try' })
    expect(created).toMatchObject({ status: 201, body: { apiKey: expect.stringMatching(/^cairn_/) } })

    await page.getByRole('link', { name: 'Sign out of this browser' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(elsewhere).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })
})

test('a program on the device: the browser follows the form to its URL', async () => {
  await service.app.operator.accounts.add({ login: 'ada', password: PASSWORD }, { actor: 'operator', address: null })
  const program = await listenOnce()
  const page = await browser.newPage()
  page.setDefaultTimeout(120_000)
  const parameters = new URLSearchParams({
    client_id: 'cairn-cli',
    response_type: 'code',
    redirect_uri: `${program.url}/callback`,
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  await page.goto(`${service.url}/oidc/auth?${parameters}`)
  await page.getByLabel('Login').fill('ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  expect(await program.called).toContain('/callback?code=')
  await page.close()
})

/** With CAIRN_TEST_SHOTS=<folder>, stores screenshots of pages. */
async function shoot(page: Page, name: string) {
  const folder = process.env.CAIRN_TEST_SHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}-${page.viewportSize()?.width}.png`, fullPage: true })
}

/** A program that waits for the browser on its own port. */
async function listenOnce() {
  let call: (url: string) => void
  const called = new Promise<string>((resolve) => {
    call = resolve
  })
  const server = createServer((request, response) => {
    response.end('You can close this page.', () => server.close())
    call(request.url!)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { called, url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }
}
