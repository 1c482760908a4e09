import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { buildersOn } from '../builders.ts'
import { startService } from '../service.ts'
import { sqlOn } from '../sql.ts'
import { importsOn } from '../surveying/imports.ts'

/** The page in docs/live.md. */
const example = /```html\n(.*?)```/s.exec(readFileSync(new URL('../../../docs/live.md', import.meta.url), 'utf8'))![1]!

test('the page of docs/live.md shows the progress of an import, across a lost connection, and stops after its end', async () => {
  const service = await startService()
  const sql = sqlOn(service)
  const { record } = await importsOn(service, await buildersOn(service).user()).imported('title,lat,lon\nA,1,2\n')
  const set = (status: string, rows: number) =>
    sql(`update csv_uploads set status = $2, processed_rows = $3 where id = $1`, [record.id, status, rows])
  await set('PROCESSING', 0)

  const page = example.replace('https://cairn.example', service.url).replace('importId', 'window.importId')
  const other = createServer((_request, response) => {
    const script = `<script>window.importId = ${JSON.stringify(record.id)}</script>`
    response.setHeader('content-type', 'text/html').end(`<!doctype html>${script}${page}`)
  }).listen(0, '127.0.0.1')
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const tab = await browser.newPage()
    tab.setDefaultTimeout(120_000)
    const asked: (string | undefined)[] = []
    tab.on('request', (request) => {
      if (request.url().endsWith('/stream')) asked.push(request.headers()['last-event-id'])
    })
    await tab.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    const shown = (text: string) =>
      tab.waitForFunction(
        (goal) => Reflect.get(globalThis, 'document').querySelector('output').textContent.trim() === goal,
        text,
      )
    await shown('0 rows, PROCESSING')
    for (const rows of [1000, 2000, 3000]) {
      await set('PROCESSING', rows)
      await shown(`${rows} rows, PROCESSING`)
    }
    service.app.http.server.closeAllConnections()
    await set('COMPLETED', 4000)
    await shown('4000 rows, COMPLETED')
    expect(await tab.evaluate(() => Reflect.get(globalThis, 'document').querySelector('progress').value)).toBe(1)
    expect(asked).toHaveLength(2)

    // A page that does not close its source gets 204.
    const ended = await tab.evaluate(
      (address) =>
        new Promise((done) => {
          const source = new EventSource(address)
          const states: number[] = []
          source.onmessage = () => states.push(source.readyState)
          source.onerror = () => {
            if (source.readyState === EventSource.CLOSED) done(states.length)
          }
        }),
      `${service.url}/api/gcp/upload/${record.id}/stream`,
    )
    expect(ended).toBe(1)
  } finally {
    await browser.close()
    other.close()
    await service.stop()
  }
})
