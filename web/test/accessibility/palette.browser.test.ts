import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
  await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  const at = { latitude: 54.32, longitude: 10.14 }
  await keeper.post('/api/location/pins', { title: 'Lantern, chandlery', contentType: 'AUDIO', ...at })
  const geoPose = { position: { lat: 54.32, lon: 10.14, h: 2 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
  await keeper.post('/api/gcp', { title: 'Lantern base', gcpType: 'SINGLE', geoPose })
  await keeper.post('/api/zones', { title: 'Lantern quay' })
})
afterAll(() => opened.stop())

/** Types into the palette, as with a keyboard alone. */
async function search(page: Page, text: string) {
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Search or go to' }).waitFor()
  await page.keyboard.type(text)
}

test('Ctrl K finds pins, control points and zones by name, and Enter opens one on the map', async () => {
  const { page, complaints } = await opened.open('/files', { token: keeper.token, reducedMotion: 'reduce' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await search(page, 'lantern')
  const found = page.getByRole('dialog')
  for (const kind of ['Pin', 'Control point', 'Zone']) await found.getByText(kind, { exact: true }).waitFor()
  // The selected result has other colours.
  await page.keyboard.press('ArrowDown')
  await found.locator('[data-action][data-selected]').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/map\?select=pin%3A\d+/)
  await page.getByRole('heading', { name: 'Lantern, chandlery' }).waitFor()
  expect(complaints).toEqual([])
})

test('Ctrl K starts a new pin and a new app, and opens the API reference', async () => {
  const { page } = await opened.open('/files', { token: keeper.token })
  const run = async (text: string, action: string) => {
    await page.goto(`${opened.service.url}/console/files`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await search(page, text)
    await page.getByRole('dialog').getByText(action).waitFor()
    await page.keyboard.press('Enter')
  }
  await run('new pin', 'New pin')
  await page.getByRole('heading', { name: 'New pin' }).waitFor()
  expect(new URL(page.url()).searchParams.has('create'), 'a reload opens no other form').toBe(false)
  await run('new app', 'New app')
  await page.waitForURL(/\/welcome\/app/)
  await run('api ref', 'API reference')
  await page.waitForURL(/\/docs\/$/)
})
