import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { OpenConsole } from '../support/console.ts'

/**
 * Runs in the page: counts presses of the pointer, over all pages of the tab. Playwright keeps a press from the page and repeats
 * it if its target has moved away below the pointer; listening behind its own listener leaves those out.
 */
const COUNT_CLICKS = `
  const count = () => sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1))
  addEventListener('pointerdown', count)
`

/** The shapes that each task is done in. */
export const SHAPES = [
  { shape: 'at a desk', viewport: { width: 1280, height: 800 } },
  { shape: 'on a phone', viewport: { width: 375, height: 812 } },
]
export type Shape = (typeof SHAPES)[number]

/** A task at its first page, whose clicks are counted. */
export async function startTask(opened: OpenConsole, path: string, token: string, { viewport }: Shape) {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page, complaints } = await opened.open(path, { token, viewport, permissions, script: COUNT_CLICKS })
  const isPhone = viewport.width < 760

  return {
    page,
    /** Follows a link of the navigation, which phones have in a menu. */
    async go(name: string) {
      if (isPhone) await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.locator('nav').getByRole('link', { name }).filter({ visible: true }).first().click()
    },
    /** The task took this many clicks, the first for a desk, and the page had no complaints. Typing and Tab are none. */
    async expectClicks(desk: number, phone: number) {
      const clicks = await page.evaluate(`Number(sessionStorage.getItem('clicks'))`)
      expect(clicks).toBe(isPhone ? phone : desk)
      expect(complaints).toEqual([])
    },
  }
}

/** What a copy button has put into the clipboard. */
export const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
