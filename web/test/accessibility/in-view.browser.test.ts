import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
})
afterAll(() => opened.stop())

test('on a phone, the tab of the page is in view', async () => {
  const app = await opened.given.app({ owner: keeper })
  const viewport = { width: 375, height: 812 }
  const { page } = await opened.open(`/apps/${app.id}/members`, { token: keeper.token, viewport })
  const tab = page.getByRole('navigation', { name: 'App' }).getByRole('link', { name: 'Members' })
  await expect.poll(async () => ((box) => box && box.x + box.width)(await tab.boundingBox())).toBeLessThanOrEqual(375)
})

test('the words of a disabled button can be read', async () => {
  const { page } = await opened.open('/import', { token: keeper.token })
  const button = page.getByRole('button', { name: 'Choose file' }).and(page.locator(':disabled')).first()
  await button.waitFor()
  // The third ink of the light theme, as a placeholder.
  const colour = (where: string) => page.evaluate(`getComputedStyle(${where}).color`)
  expect(
    await colour(
      `[...document.querySelectorAll('button:disabled')].find((one) => /Choose file/.test(one.textContent))`,
    ),
  ).toBe(await colour(`document.querySelector('input'), '::placeholder'`))
})
