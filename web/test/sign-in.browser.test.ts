import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, inAllShapes, type OpenConsole, startConsole } from './console.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

test('somebody signs in at the box by OpenID Connect, comes back to the page they wanted, and signs out', async () => {
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
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(complaints).toEqual([])
})

test('while nobody runs the box, the page says where the link of the first admin is', async () => {
  const fresh = await startConsole()
  const { page, complaints } = await fresh.open('/')
  await page.getByRole('heading', { name: 'Nobody runs this box yet' }).waitFor()
  await expectAccessible(page)
  expect(complaints).toEqual([])
  await fresh.stop()
})
