import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, type OpenConsole, startConsole } from '../support/console.ts'

let console_: OpenConsole
let token: string
beforeAll(async () => {
  console_ = await startConsole()
  token = (await console_.person()).token
})
afterAll(() => console_.stop())

test('the console is shown in the language of the browser', async () => {
  const { page, complaints } = await console_.open('/apps', { token, locale: 'de-AT' })
  await page.getByRole('link', { name: 'Scans' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await page.getByRole('button', { name: 'API-Schlüssel' }).or(page.getByText('Spieler').first()).first().waitFor()
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('the console is English in a browser whose languages it does not have', async () => {
  const { page } = await console_.open('/apps', { token, locale: 'fi-FI' })
  await page.getByRole('heading', { name: 'Apps' }).first().waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
})

test('a language that is chosen in the account menu stays chosen', async () => {
  const { page } = await console_.open('/apps', { token })
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitemradio', { name: 'Español' }).click()
  await page.waitForFunction("document.documentElement.lang === 'es'")
  await page.goto(`${console_.service.url}/console/scans`)
  await page.waitForFunction("document.documentElement.lang === 'es'")
})
