import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let token: string
let at: string
beforeAll(async () => {
  opened = await startConsole()
  const keeper = await opened.person()
  token = keeper.token
  const app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  await app.post('/api/v1/apps/mini-game-types', { name: 'Bell Tower Sprint' })
  for (const name of ['anna', 'annika']) await opened.given.player(app, name)
  const { id } = (await app.post('/api/v1/apps/game-sessions', { name: 'Regatta' })).body
  at = `/apps/${app.id}`
  sessionAt = `${at}/sessions/${id}`
})
afterAll(() => opened.stop())
let sessionAt: string

/** The first option is chosen with the arrow keys, and axe finds nothing. */
async function expectAccessibleOptions(page: Page) {
  await page.getByRole('option').first().waitFor()
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.locator('[data-combobox-selected]').waitFor()
  await expectAccessible(page)
}

/** The contrast of the mark in a control with its ground (WCAG 2.2, 1.4.11). */
const contrastOfMark = (page: Page, control: string, mark: string) =>
  page.evaluate<number>(`(() => {
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const ground = light(getComputedStyle(document.querySelector(${JSON.stringify(control)})).backgroundColor)
    const drawn = light(getComputedStyle(document.querySelector(${JSON.stringify(mark)})).color)
    return (Math.max(ground, drawn) + 0.05) / (Math.min(ground, drawn) + 0.05)
  })()`)

for (const colorScheme of ['light', 'dark'] as const) {
  const options = { reducedMotion: 'reduce' as const, colorScheme }

  test(`the options of a choice and of a search are accessible while the arrow keys are on them (${colorScheme})`, async () => {
    const { page, complaints } = await opened.open(`${at}/players`, { token, ...options })
    await page.getByRole('combobox', { name: 'Best score in' }).click()
    await expectAccessibleOptions(page)
    await page.goto(`${opened.service.url}/console${sessionAt}`)
    await page.getByRole('combobox').first().pressSequentially('ann')
    await expectAccessibleOptions(page)
    // A list that scrolls.
    await page.goto(`${opened.service.url}/console/audit`)
    await page.getByRole('combobox', { name: 'What' }).click()
    await expectAccessibleOptions(page)
    expect(complaints).toEqual([])
  })

  test(`the mark in a chosen box and in a chosen circle has a contrast of at least 3 (${colorScheme})`, async () => {
    const { page } = await opened.open(`${at}/settings`, { token, ...options })
    await page.getByRole('radio', { checked: true }).first().waitFor()
    expect(
      await contrastOfMark(page, '.mantine-Radio-radio:checked', '.mantine-Radio-radio:checked + svg'),
    ).toBeGreaterThan(3)
    await page.getByRole('checkbox').first().check()
    expect(
      await contrastOfMark(page, '.mantine-Checkbox-input:checked', '.mantine-Checkbox-input:checked + svg'),
    ).toBeGreaterThan(3)
  })
}
