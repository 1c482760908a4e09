import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../server/test/service.ts'
import { type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
let app: Caller & { id: string }
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
  app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  for (const name of ['one', 'two', 'three']) await opened.given.player(app, name)
})
afterAll(() => opened.stop())

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')
const atPlayers = () => opened.open(`/apps/${app.id}/players`, { token: keeper.token })

test('the first stop of a page leads past the navigation to its content', async () => {
  const { page } = await atPlayers()
  await page.getByRole('link', { name: 'one' }).waitFor()
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to content')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('main')
})

test('J and K walk the rows of a list, Enter opens one, / is for finding', async () => {
  const { page } = await atPlayers()
  await page.getByRole('link', { name: 'three' }).waitFor()
  await page.keyboard.press('j')
  expect(await focused(page)).toBe('one')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  expect(await focused(page)).toBe('two')
  await page.keyboard.press('/')
  await page.keyboard.type('thr')
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  await page.getByRole('link', { name: 'three' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'three' }).waitFor()
})

test('G and a letter go to a page, Ctrl K to anything by its name, a player too', async () => {
  const { page } = await atPlayers()
  await page.getByRole('link', { name: 'one' }).waitFor()
  // Of which app they are is asked beside the list.
  await page.getByRole('link', { name: 'Leaderboards' }).waitFor()
  // Both at once: the letter counts for a second and a half, which a busy browser may take to say that it has the first.
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('b')])
  await page.getByRole('heading', { name: 'Default game', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search or go to…').fill('two')
  await page.getByRole('button', { name: 'two' }).waitFor()
  // The first result needs no arrow.
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'two', level: 1 }).waitFor()
})

test('single-letter shortcuts are inactive in text fields, and can be switched off', async () => {
  const { page } = await atPlayers()
  await page.getByLabel('Search by name').fill('')
  await page.keyboard.type('gb?')
  expect(await page.getByLabel('Search by name').inputValue()).toBe('gb?')
  await page.getByLabel('Search by name').fill('')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await page.getByRole('switch', { name: 'Enable single-letter shortcuts' }).uncheck()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(page.url()).toContain('/players')
})
