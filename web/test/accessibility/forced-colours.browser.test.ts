import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEveryRoute } from '../support/every-route.ts'
import { tabTo } from '../support/tab-stops.ts'

let opened: Awaited<ReturnType<typeof startEveryRoute>>
beforeAll(async () => {
  opened = await startEveryRoute()
})
afterAll(() => opened.stop())

/** The page of a route with forced colours. */
async function openAt(route: string) {
  const { path, ready } = opened.visits.find((visit) => visit.route === route)!
  const { page, complaints } = await opened.open(path, {
    token: opened.token,
    forcedColors: 'active',
    reducedMotion: 'reduce',
  })
  await ready(page)
  const folder = process.env.CAIRN_TEST_SHOTS
  if (folder) await page.screenshot({ path: `${folder}/forced${route.replaceAll(/\W+/g, '-')}.png` })
  expect(complaints).toEqual([])
  return page
}

/** A colour of the first element that fits, as it is drawn. */
const colourOf = (page: Page, selector: string, of = 'backgroundColor') =>
  page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${of}`)

/** A colour of the system by its name. */
const systemColour = (page: Page, name: string) =>
  page.evaluate<string>(`(() => {
    const sample = document.body.appendChild(document.createElement('i'))
    sample.style.cssText = 'forced-color-adjust: none; color: ${name}'
    const { color } = getComputedStyle(sample)
    sample.remove()
    return color
  })()`)

test.each([
  ['the chosen row of a board', '/apps/$appId/boards/$type', 'tr[aria-selected="true"]', 'tr[aria-selected="false"]'],
  ['the page one is on', '/apps/$appId/boards/$type', 'nav a[aria-current="page"]', 'nav a:not([aria-current])'],
  ['the chosen tab', '/apps/$appId/usage', 'main nav a[aria-current="page"]', 'main nav a:not([aria-current])'],
  [
    'the chosen way to look',
    '/apps/$appId/usage',
    '.mantine-SegmentedControl-label[data-active]',
    '.mantine-SegmentedControl-label:not([data-active])',
  ],
  ['a layer that is shown', '/map', '[data-layer][aria-pressed="true"]', '[data-layer][aria-pressed="false"]'],
  ['the step one is at', '/welcome/$step', 'li[aria-current="step"]', 'li:not([aria-current])'],
  ['a switch that is on', '/apps/$appId/webhooks', 'input:checked + .mantine-Switch-track', 'body'],
])('in forced colours %s stands on the ground that the system marks with', async (_, route, chosen, other) => {
  const page = await openAt(route)
  const marked = await systemColour(page, 'Highlight')
  expect(await colourOf(page, chosen)).toBe(marked)
  expect(await colourOf(page, other)).not.toBe(marked)
  await page.context().close()
})

test('in forced colours a selection shows its mark, parts of a chart are distinguishable, and the focus is visible', async () => {
  const settings = await openAt('/apps/$appId/settings')
  const ink = await systemColour(settings, 'CanvasText')
  expect(await colourOf(settings, 'input:checked + .mantine-Radio-icon', 'color')).toBe(ink)
  await tabTo(settings, settings.getByRole('button', { name: 'Save' }).first())

  const usage = await openAt('/apps/$appId/usage')
  const marks = await usage.evaluate<string[]>(
    `[...document.querySelectorAll('main li > .drawn')].map((mark) => getComputedStyle(mark).backgroundColor)`,
  )
  expect(marks.length).toBeGreaterThan(2)
  expect(new Set([...marks, await systemColour(usage, 'Canvas')]).size, 'all differ').toBe(marks.length + 1)
})
