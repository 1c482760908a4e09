import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEveryRoute } from '../support/every-route.ts'
import { inPage } from '../support/in-page.ts'

/** What a browser comes with, in pixels. */
const LETTERS = 16

let opened: Awaited<ReturnType<typeof startEveryRoute>>
beforeAll(async () => {
  opened = await startEveryRoute()
})
afterAll(() => opened.stop())

/** As set in the browser. */
async function letters(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('Page.enable')
  return (pixels: number) => client.send('Page.setFontSizes', { fontSizes: { standard: pixels, fixed: pixels } })
}
const number = (page: Page, expression: string) => page.evaluate<number>(expression)
const titleSize = (page: Page) =>
  number(page, "Number.parseFloat(getComputedStyle(document.querySelector('h1')).fontSize)")

test('every page is visited here', async () => {
  const source = await readFile(new URL('../../src/routes.tsx', import.meta.url), 'utf8')
  const routes = [...source.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path!)
  // Where a sign-in comes back to, and two that lead elsewhere.
  const none = ['/callback', '/', '/apps/$appId/boards']
  const visited = new Set(opened.visits.map(({ route }) => route))
  expect(routes.filter((route) => !visited.has(route) && !none.includes(route))).toEqual([])
})

// WCAG 2.2, 1.4.4, 1.4.10, 2.4.6 and 1.3.1.
test('each page can be read and used with letters twice as large and on 320 pixels, and names its parts apart', async () => {
  const { page, complaints } = await opened.open('/', { token: opened.token, reducedMotion: 'reduce' })
  const setLetters = await letters(page)
  const found: Record<string, string[]> = {}
  for (const { path, ready } of opened.visits) {
    await page.setViewportSize({ width: 1280, height: 1024 })
    await setLetters(LETTERS)
    await page.goto(`${opened.service.url}/console${path}`)
    await ready(page)
    const title = await titleSize(page)
    const faults = await inPage<string[]>(page, 'misnamed')

    const look = async (name: string) => {
      const folder = process.env.CAIRN_TEST_SHOTS
      const file = `${name}${path.replace(/[\da-f-]{36}/g, '').replaceAll(/\W+/g, '-')}`
      if (folder) await page.screenshot({ path: `${folder}/${file}.png` })
      for (const fault of await inPage<string[]>(page, 'unreadable')) faults.push(`${name}: ${fault}`)
      if ((await number(page, 'document.documentElement.scrollWidth - innerWidth')) > 0)
        faults.push(`${name}: the page scrolls sideways`)
    }
    await setLetters(2 * LETTERS)
    await expect
      .poll(() => titleSize(page), { message: `the letters of ${path} follow the browser` })
      .toBeGreaterThan(1.5 * title)
    await look('large')
    await setLetters(LETTERS)
    await page.setViewportSize({ width: 320, height: 640 })
    await look('narrow')
    if (faults.length > 0) found[path] = faults
  }
  expect(found).toEqual({})
  expect(complaints).toEqual([])
}, 300_000)
