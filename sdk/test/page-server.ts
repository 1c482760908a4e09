import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const PAGE = `<!doctype html><input type="file"><script type="module">
  import * as sdk from '/sdk.js'
  window.cairn = sdk
</script>`

/** Serves a page whose `cairn` is the client, of another origin than the service, as pages are. */
export async function startPageServer(): Promise<{ url: string; stop: () => void }> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/sdk.js') {
      response.setHeader('content-type', 'text/html').end(PAGE)
      return
    }
    const input = fileURLToPath(new URL('../index.ts', import.meta.url))
    const { output } = await (await rolldown({ input, platform: 'browser' })).generate({ format: 'esm' })
    response.setHeader('content-type', 'text/javascript').end(output[0].code)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop: () => void server.close() }
}
