import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { inPage } from './in-page.ts'

/** Where the focus is: what it is on, what is wrong with how that is shown, and where it stands: `nth` of all elements, -1 for none. */
type Stop = { name: string; faults: string[]; left: number; top: number; width: number; nth: number }

/** Goes to an element by Tab alone. Every stop on the way shows that it has the focus, is seen, and lies further down or further right than the one before. @param back goes by Shift and Tab, with the order turned round @throws where the element is not reached in one round of the page */
export async function tabTo(page: Page, wanted: Locator, { back = false } = {}) {
  await wanted.waitFor({ state: 'attached' })
  const way: string[] = []
  let before = await stopNow(page)
  for (let n = 0; n < 120; n++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    let stop = await stopNow(page)
    // Content that loads later may move it: its final position counts.
    for (let again = 0; again < 200 && stop.faults.length > 0; again++) {
      await page.waitForTimeout(100)
      stop = await stopNow(page)
    }
    way.push(stop.name)
    expect(stop.faults, stop.name).toEqual([])
    const [first, second] = back ? [stop, before] : [before, stop]
    // The last stop of a page is followed by its first.
    if (first.nth >= 0 && first.nth < second.nth) {
      const isOnward = second.top > first.top - 1 || second.left >= first.left + Math.min(first.width, 24)
      expect(isOnward, `"${second.name}" is read after "${first.name}"`).toBe(true)
    }
    before = stop
    if (await wanted.evaluate((element) => element.ownerDocument.activeElement === element)) return
  }
  throw new Error(`no way by Tab: ${way.join(' → ')}`)
}

/** Waits until the focus is on an element, without a key: a step that is done leads to what comes next. */
export const focusComesTo = (wanted: Locator) =>
  expect.poll(() => wanted.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true)

const stopNow = (page: Page) => inPage<Stop>(page, 'stop-now')
