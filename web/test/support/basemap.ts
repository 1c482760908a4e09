import type { Page } from 'playwright-core'
import { shareOfColour } from '../../../server/test/content/pictures.ts'

/** The middle of the invented town. */
export const MIDDLE = { lat: 54.323917, lon: 10.139402 }
/** The query of a map of the town, without layers of pins. */
export const TOWN = `lat=${MIDDLE.lat}&lon=${MIDDLE.lon}&radius=400&layers=`

/** The share of pixels that have the colour of a role, in a part of the map that only the basemap is drawn on. */
export async function shareOf(page: Page, role: string): Promise<number> {
  const { x, y, width, height } = (await page.locator('[data-map]').boundingBox())!
  const clip = { x: x + width / 2 + 20, y: y + height / 2 - 200, width: 180, height: 370 }
  const picture = await page.screenshot({ clip })
  const colour = await page.evaluate<string>(
    `getComputedStyle(document.documentElement).getPropertyValue('--${role}').trim()`,
  )
  return shareOfColour(picture, colour)
}
