import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, type OpenConsole, startConsole } from '../support/console.ts'

const OPERATOR = { actor: 'operator', address: null }

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

/** Opens a menu by its button and looks at it: axe finds nothing, and the focus starts at its first entry. */
async function expectAccessibleMenu(page: Page, button: string | RegExp) {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('menu').getByRole('menuitem').first().and(page.locator(':focus')).waitFor()
  await expectAccessible(page)
  // Its last entry, which may delete something, has other colours.
  await page.keyboard.press('ArrowUp')
  await page.getByRole('menu').getByRole('menuitem').last().and(page.locator(':focus')).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

test('the menus of the account and of the app are accessible while they are open', async () => {
  const keeper = await opened.person()
  const app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  await opened.given.app({ owner: keeper, name: 'Quay Walk' })
  const { page, complaints } = await opened.open(`/apps/${app.id}`, { token: keeper.token, reducedMotion: 'reduce' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expectAccessibleMenu(page, /^Account: /)
  await expectAccessibleMenu(page, /Harbour Hunt/)
  expect(complaints).toEqual([])
})

test('the menu of an account is accessible while it is open', async () => {
  await opened.service.app.operator.accounts.add({ login: 'lotte', password: 'correct horse battery' }, OPERATOR)
  const admin = await opened.person()
  const { page, complaints } = await opened.open('/accounts', { token: admin.token, reducedMotion: 'reduce' })
  await expectAccessibleMenu(page, 'Actions for lotte')
  expect(complaints).toEqual([])
})
