import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, extname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { SOFTWARE_WEBGL } from './software-webgl.ts'

const types: Record<string, string> = { '.js': 'text/javascript', '.wasm': 'application/wasm' }

const html = `<!doctype html><link rel="icon" href="data:,"><script type="module">
import * as library from '/index.js'
globalThis.library = library
</script>`

/** Opens a page in a headless Chromium that imports the library of a folder as `globalThis.library`. */
export async function openPage(folder: string) {
  const server = createServer((request, response) => {
    const name = basename(new URL(request.url!, 'http://x').pathname)
    response.setHeader('content-security-policy', "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'")
    if (name === '') response.setHeader('content-type', 'text/html').end(html)
    else
      readFile(join(folder, name)).then(
        (body) => response.setHeader('content-type', types[extname(name)] ?? 'text/plain').end(body),
        () => response.writeHead(404).end(),
      )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    timeout: 180_000,
    args: ['--no-sandbox', '--disable-background-networking', ...SOFTWARE_WEBGL],
  })
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await page.waitForFunction('globalThis.library')
  return {
    page,
    async close(): Promise<void> {
      await browser.close()
      server.close()
    },
  }
}
