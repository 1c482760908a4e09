import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

test('a user signs in by OpenID Connect with a local account, returns to the requested page and signs out, also of the provider, which asks for the password again', async () => {
  const { service, open } = opened
  await service.app.operator.accounts.add(
    { login: 'ada', password: 'correct horse battery' },
    { actor: 'operator', address: null },
  )
  const { page, complaints } = await open('/map?lat=51.4778&lon=-0.0014')
  await inAllShapes(page, 'sign-in', () => page.getByRole('heading', { name: 'Sign in' }).waitFor())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Login').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/console\/map\?lat=51\.4778&lon=-0\.0014/)
  await page.getByRole('button', { name: 'Account: ada' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/console\/$/)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
  expect(page.url()).toContain('/oidc/interaction/')
  expect(complaints).toEqual([])
})

test('a refusal of the issuer is shown with its reason, no session is created, and sign-in can be retried', async () => {
  const { open, service } = opened
  const { page, complaints } = await open('/apps')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Login').waitFor()
  const state = await page.evaluate<string>(`JSON.parse(sessionStorage.getItem('cairn-sign-in')).state`)
  const { signIn } = (await service.anonymous.get('/console/settings.json')).body
  const refusal = { error: 'access_denied', error_description: 'Nobody at home', iss: signIn.issuer }
  await page.goto(`${service.url}/console/callback?${new URLSearchParams({ ...refusal, state })}`)
  await inAllShapes(page, 'sign-in-refused', () =>
    page.getByText('The identity provider returned an error: Nobody at home (access_denied).').waitFor(),
  )
  expect(await page.evaluate(`localStorage.getItem('cairn-session')`)).toBe(null)
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(complaints).toEqual([])
})

test('a response that belongs to no sign-in of this tab creates no session', async () => {
  const { page, complaints } = await opened.open('/callback?code=stolen&state=foreign')
  await page.getByText('This tab did not start a sign-in').waitFor()
  expect(await page.evaluate(`localStorage.getItem('cairn-session')`)).toBe(null)
  expect(complaints).toEqual([])
})

test('without an admin, the page says where to find the link that creates the first one', async () => {
  const fresh = await startConsole()
  const { page, complaints } = await fresh.open('/')
  await page.getByRole('heading', { name: 'Create the first admin' }).waitFor()
  await expectAccessible(page)
  expect(complaints).toEqual([])
  await fresh.stop()
})

test('/sign-in, without the console, copies the session token in one press', async () => {
  const { service, open } = opened
  await service.app.operator.accounts.add(
    { login: 'grace', password: 'correct horse battery' },
    { actor: 'operator', address: null },
  )
  const { page, complaints } = await open('/', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${service.url}/sign-in`)
  await page.getByLabel('Login').fill('grace')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.keyboard.press('Enter')
  await inAllShapes(page, 'signed-in', () => page.getByRole('heading', { name: 'Signed in as grace' }).waitFor())
  await page.getByRole('button', { name: 'Copy token' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const token = await page.locator('#token').textContent()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token)
  expect(complaints).toEqual([])
})

test('/sign-in leads to the console, which asks for nothing again', async () => {
  const { service, open } = opened
  await service.app.operator.accounts.add(
    { login: 'hedy', password: 'correct horse battery' },
    { actor: 'operator', address: null },
  )
  const { page, complaints } = await open('/')
  await page.goto(`${service.url}/sign-in`)
  await page.getByLabel('Login').fill('hedy')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Open the console' }).click()
  await page.getByRole('heading', { name: 'Create an app' }).waitFor()
  expect(complaints).toEqual([])
})
