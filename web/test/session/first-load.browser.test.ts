import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../support/console.ts'

/** Maximum size of the first page, in bytes as sent, in each language. `npm run bench console` measures the same. */
const FIRST_LOAD = 350_000

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

test.each(['en-US', 'de-DE', 'es-ES'])('the first page in %s is at most 350 kB as sent', async (locale) => {
  const owner = await opened.person()
  await opened.given.app({ owner })
  const first = await opened.open('/settings.json', { token: owner.token, locale })
  // Another page of the same browser, which has loaded nothing but the settings.
  const page = await first.page.context().newPage()
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  const urls = new Map<string, string>()
  const sent: { bytes: number; path: string }[] = []
  client.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url))
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) =>
    sent.push({ bytes, path: urls.get(requestId)?.replace(opened.service.url, '') ?? '' }),
  )
  await page.goto(`${opened.service.url}/console/`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  const sum = sent.reduce((all, { bytes }) => all + bytes, 0)
  const largest = sent.toSorted((a, b) => b.bytes - a.bytes).map(({ bytes, path }) => `${bytes} ${path}`)
  if (process.env.CAIRN_PRINT) console.log(`${locale}: ${sum} bytes\n${largest.slice(0, 12).join('\n')}`)
  expect(sum, largest.join('\n')).toBeLessThanOrEqual(FIRST_LOAD)
})
