import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEveryRoute } from '../support/every-route.ts'
import { inPage } from '../support/in-page.ts'

/** Of a phone, of tablets, and of a small laptop with and without a panel beside the work. */
const WIDTHS = [390, 820, 1024, 1200]

let opened: Awaited<ReturnType<typeof startEveryRoute>>
beforeAll(async () => {
  opened = await startEveryRoute()
})
afterAll(() => opened.stop())

// Words are longest in these languages.
test.each(['de-DE', 'es-MX'])(
  'in the language of %s, no page scrolls sideways and no placeholder is cut on a phone or tablet, and no table of a tablet scrolls or breaks words',
  async (locale) => {
    const { page, complaints } = await opened.open('/', {
      ...{ token: opened.token, locale, hasTouch: true, reducedMotion: 'reduce' },
    })
    const found: Record<string, string[]> = {}
    const map = opened.visits.find(({ route }) => route === '/map')!
    for (const { path, route } of [...opened.visits, { route: 'table of points', path: `${map.path}&table=true` }]) {
      await page.goto(`${opened.service.url}/console${path}`)
      await page
        .locator(`html[lang=${locale.slice(0, 2)}] h1`)
        .first()
        .waitFor({ state: 'attached' })
      // What a page waits for in English has other words here.
      await page.waitForTimeout(500)
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        const faults = await inPage<string[]>(page, 'cut-placeholders')
        if (width > WIDTHS[0]!) faults.push(...(await inPage<string[]>(page, 'cramped')))
        if (await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')) faults.push('the page')
        if (faults.length > 0) found[`${route} at ${width}`] = [...new Set(faults)]
      }
    }
    expect(found).toEqual({})
    expect(complaints).toEqual([])
  },
  300_000,
)
