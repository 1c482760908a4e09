import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
let app: Awaited<ReturnType<OpenConsole['given']['app']>>
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
  app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  for (const name of ['Ada', 'Berit']) await opened.given.player(app, name)
})
afterAll(() => opened.stop())

async function openPalette(page: Page) {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Search or go to' }).and(page.locator(':focus')).waitFor()
}

test('in Ctrl K, Enter right after a name opens what is found, as soon as it is found', async () => {
  const { page, complaints } = await opened.open(`/apps/${app.id}`, { token: keeper.token })
  await openPalette(page)
  await page.keyboard.type('berit')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Berit', level: 1 }).waitFor({ timeout: 20_000 })
  expect(complaints).toEqual([])
})

test('in Ctrl K, Enter never opens what was found for a name that has been replaced', async () => {
  const { page, complaints } = await opened.open(`/apps/${app.id}`, { token: keeper.token })
  await openPalette(page)
  await page.keyboard.type('ada')
  await page.getByRole('dialog').getByRole('button', { name: 'Ada' }).waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('berit')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^(Ada|Berit)$/, level: 1 }).waitFor({ timeout: 20_000 })
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Berit')
  expect(complaints).toEqual([])
})

test('in Ctrl K, typing on after Enter opens nothing until Enter is pressed again', async () => {
  const { page } = await opened.open(`/apps/${app.id}`, { token: keeper.token })
  await openPalette(page)
  await page.keyboard.type('ber')
  await page.keyboard.press('Enter')
  await page.keyboard.type('it')
  await page.getByRole('dialog').getByRole('button', { name: 'Berit' }).waitFor()
  await page.waitForTimeout(500)
  await page.getByRole('dialog').getByRole('button', { name: 'Berit' }).waitFor()
})
