import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let token: string
beforeAll(async () => {
  opened = await startConsole()
  token = (await opened.person()).token
})
afterAll(() => opened.stop())

test('the console is shown in the language of the browser', async () => {
  const { page, complaints } = await opened.open('/files', { token, locale: 'de-AT' })
  await page.getByRole('heading', { name: 'Dateien', level: 1 }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  // The navigation is loaded with the frame of the page.
  for (const name of ['Karte', 'Import', 'Scans', 'Dateien & Modelle', 'Benutzer'])
    await page.getByRole('link', { name, exact: true }).waitFor()
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('the console is English in a browser whose languages it does not have', async () => {
  const { page } = await opened.open('/apps', { token, locale: 'fi-FI' })
  await page.getByRole('heading', { name: 'Apps' }).first().waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
})

test('a language that is chosen in the account menu stays chosen', async () => {
  const { page } = await opened.open('/apps', { token })
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Español' }).click()
  const spanish = page.locator('html[lang=es]')
  await spanish.waitFor({ state: 'attached' })
  await page.goto(`${opened.service.url}/console/scans`)
  await page.getByRole('heading', { name: 'Escaneos', level: 1 }).waitFor()
  await spanish.waitFor({ state: 'attached' })
})
