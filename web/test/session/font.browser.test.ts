import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxGlb } from '../../../server/test/content/glb.ts'
import { uploadOf } from '../../../server/test/content/scans.ts'
import { type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let model: number
beforeAll(async () => {
  opened = await startConsole()
  model = (await uploadOf(opened.service.anonymous, { name: 'box.glb', bytes: boxGlb() })).fileId
})
afterAll(() => opened.stop())

test.each([
  ['the sign-in page', () => '/sign-in'],
  ['the AR page on a phone', () => `/ar/${model}?on=android`],
  ['the API reference', () => '/docs/'],
])('%s has the font of the console, from this service', async (_, path) => {
  const { page, complaints } = await opened.open('/')
  await page.goto(opened.service.url + path())
  const loaded = () =>
    page.evaluate<string[]>(
      `[...document.fonts].filter(({ family, status }) => /IBM Plex Sans/.test(family) && status === 'loaded').map(({ weight }) => weight)`,
    )
  await expect.poll(loaded).toEqual(['100 700'])
  await page.locator('h1').first().waitFor()
  const font = await page.evaluate<string>("getComputedStyle(document.querySelector('h1')).fontFamily")
  expect(font).toMatch(/^"?IBM Plex Sans/)
  expect(complaints).toEqual([])
})
