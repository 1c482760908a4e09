import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../support/console.ts'
import { AROUND, type Harbour, harbourOn, idle, rows } from '../support/harbour.ts'

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

const preview = (page: Page) => page.locator('[data-radius-preview] > div')

/** The radii that were searched for, in metres. */
function searchesOf(page: Page): string[] {
  const radii: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/location/pins' && searchParams.get('limit') === '200')
      radii.push(searchParams.get('radius') ?? '')
  })
  return radii
}

async function openIdle() {
  const { page, complaints } = await harbour.openMap(AROUND)
  await rows(page).nth(6).waitFor()
  await idle(page)
  return {
    page,
    complaints,
    searches: searchesOf(page),
    handle: page.getByRole('button', { name: 'Change the radius' }),
  }
}

test('while the radius is dragged a line follows it to the handle, and the service is searched once it is released', async () => {
  const { page, complaints, searches, handle } = await openIdle()
  const { x, y, width, height } = (await handle.boundingBox())!
  const [left, top] = [x + width / 2, y + height / 2]
  await page.mouse.move(left, top)
  await page.mouse.down()
  for (let step = 1; step <= 10; step++) await page.mouse.move(left - 6 * step, top)
  await expect
    .poll(async () => {
      const [line, held] = [(await preview(page).boundingBox())!, (await handle.boundingBox())!]
      return Math.abs(line.x + line.width - (held.x + held.width / 2))
    })
    .toBeLessThan(3)
  expect(searches).toEqual([])
  await page.mouse.up()
  await expect.poll(() => searches.length).toBe(1)
  await idle(page)
  await preview(page).waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('radius')).toBe(searches[0])
  expect(complaints).toEqual([])
})

test('keys on the handle search once, for the radius at which they rest', async () => {
  const { page, complaints, searches, handle } = await openIdle()
  await handle.focus()
  await page.evaluate(`
    for (let press = 0; press < 5; press++)
      document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowLeft', shiftKey: true, bubbles: true }))`)
  await expect.poll(() => searches.length).toBe(1)
  await page.waitForURL((url) => url.searchParams.get('radius') === searches[0])
  await idle(page)
  await preview(page).waitFor({ state: 'detached' })
  expect(await page.getByLabel('Radius in metres').inputValue()).toBe(searches[0])
  expect(searches).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('a radius that is typed is drawn at once, and the map follows', async () => {
  const { page, complaints } = await openIdle()
  await page.getByLabel('Radius in metres').fill('90')
  await page.keyboard.press('Enter')
  await preview(page).waitFor({ state: 'attached' })
  await page.waitForURL(/radius=90(&|$)/)
  await idle(page)
  await preview(page).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('a radius that is cleared with the point before it rests does not come back', async () => {
  const { page, complaints } = await openIdle()
  await page.getByLabel('Radius in metres').fill('90')
  await page.evaluate(`
    document.querySelector('[aria-label="Radius in metres"]')
      .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    document.querySelector('[aria-label="Clear the point"]').click()`)
  await page.waitForURL((url) => !url.searchParams.has('radius'))
  await page.waitForTimeout(500)
  expect(new URL(page.url()).searchParams.has('radius')).toBe(false)
  expect(complaints).toEqual([])
})
