import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { townArchive } from '../../../server/test/basemap/town.ts'
import { MIDDLE, shareOf, TOWN } from '../support/basemap.ts'
import { type OpenConsole, startConsole } from '../support/console.ts'
import { type Harbour, harbourOn } from '../support/harbour.ts'

/** The open sea between Denmark and Germany. */
const SEA = 'lat=54.45&lon=10.7&radius=4000&layers='
let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

/** Opens the map while the answers to some requests are held. @returns the page, and what lets them through */
async function openHeld(query: string, requests: RegExp) {
  const held: Route[] = []
  let isHeld = true
  const { page } = await harbour.openMap('lat=0&lon=0&radius=10', { isSharp: true })
  await page.route(requests, (route) => (isHeld ? void held.push(route) : route.continue()))
  await page.goto(`${opened.service.url}/console/map?${query}`)
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await page.locator('[data-map] canvas').waitFor()
  return {
    page,
    release: async () => {
      isHeld = false
      for (const route of held) await route.continue()
    },
  }
}

describe('until tiles are drawn, the ground of the map is neutral, not sea', () => {
  test('with the bundled map', async () => {
    const { page, release } = await openHeld(SEA, /countries-50m.*\.json/)
    await expect.poll(() => shareOf(page, 'map-land')).toBeGreaterThan(0.5)
    expect(await shareOf(page, 'map-water')).toBe(0)
    await release()
    await expect.poll(() => shareOf(page, 'map-water')).toBeGreaterThan(0.5)
  })

  test('with an archive', async () => {
    const folder = join(opened.service.folder, 'basemap')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'town.pmtiles'), townArchive(MIDDLE))
    while ((await harbour.keeper.get('/api/v1/box/basemap')).body.shown !== 'file');
    const { page, release } = await openHeld(TOWN, /\.pmtiles/)
    await expect.poll(() => shareOf(page, 'map-land')).toBeGreaterThan(0.5)
    expect(await shareOf(page, 'map-water')).toBe(0)
    await release()
    await expect.poll(() => shareOf(page, 'map-water')).toBeGreaterThan(0.001)
  })
})
