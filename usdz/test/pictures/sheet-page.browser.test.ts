import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { sheetPage } from './sheet-page.ts'

test('the contact sheet lists the worst model first, and finds models by name, state and reason', async () => {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    timeout: 180_000,
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage()
    await page.setContent(
      sheetPage([
        { name: 'fox.glb', state: 'good', score: 0.9991, why: '' },
        { name: 'glass.glb', state: 'excused', score: 0.8, why: 'opacity for transmission' },
        { name: '<b>"odd"</b>.glb', state: 'failed', why: 'Target crashed' },
      ]),
    )
    const shown = async (text: string) => {
      await page.getByLabel('Search').fill(text)
      return await page.locator('li:visible a').allTextContents()
    }
    expect(await shown('')).toEqual(['0.8000 glass.glb', '0.9991 fox.glb', '<b>"odd"</b>.glb'])
    expect(await shown('FOX')).toEqual(['0.9991 fox.glb'])
    expect(await shown('excused transmission')).toEqual(['0.8000 glass.glb'])
    expect(await shown('crashed')).toEqual(['<b>"odd"</b>.glb'])
    expect(await page.locator('output').textContent()).toBe('1 of 3')
  } finally {
    await browser.close()
  }
})
