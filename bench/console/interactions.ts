import type { Page } from 'playwright-core'

/** An input of a person, and the milliseconds until the page has drawn what it led to (Event Timing, W3C). */
export type Interaction = { step: string; ms: number }

type Entry = { id: number; ms: number }

/** Records the interactions of a page; runs before its own scripts. */
export const RECORD_INTERACTIONS = `
  window.interactions = []
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) window.interactions.push({ id: interactionId, ms: duration })
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })`

/** Events are reported after the next frames. */
const REPORTED_MS = 400

/** The longest interaction of each step. One that the browser does not report took less than 16 ms. */
export async function interactionsIn(
  page: Page,
  steps: Record<string, () => Promise<unknown>>,
): Promise<Interaction[]> {
  const found: Interaction[] = []
  for (const [step, work] of Object.entries(steps)) {
    await page.evaluate('window.interactions.length = 0')
    await work()
    await page.waitForTimeout(REPORTED_MS)
    const entries = await page.evaluate<Entry[]>('window.interactions')
    found.push({ step, ms: Math.max(0, ...entries.map(({ ms }) => ms)) })
  }
  return found
}
