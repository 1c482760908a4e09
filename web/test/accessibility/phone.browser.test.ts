import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectNoSidewaysScroll } from '../support/console.ts'
import { startEveryRoute } from '../support/every-route.ts'
import { inPage } from '../support/in-page.ts'

let opened: Awaited<ReturnType<typeof startEveryRoute>>
beforeAll(async () => {
  opened = await startEveryRoute()
})
afterAll(() => opened.stop())

test('on a phone of 390 × 844, no page scrolls sideways, and each control is at least 44 pixels high and wide', async () => {
  const { page, complaints } = await opened.open('/', {
    token: opened.token,
    hasTouch: true,
    reducedMotion: 'reduce',
  })
  const found: Record<string, string[]> = {}
  for (const { path, ready } of opened.visits) {
    // Some of what a page waits for here is only shown where there is room for it.
    await page.setViewportSize({ width: 1280, height: 844 })
    await page.goto(`${opened.service.url}/console${path}`)
    await ready(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
    const small = await inPage<string[]>(page, 'untouchable')
    if (small.length > 0) found[path.replace(/[\da-f-]{36}/g, '…')] = small
  }
  expect(found).toEqual({})
  expect(complaints).toEqual([])
}, 300_000)
