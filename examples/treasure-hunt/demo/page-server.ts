import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sendFile } from './static.ts'

export type PageOptions = {
  /** What the page reads as `settings.json`. All of it is public. */
  settings: object
  port: number
}

/** Serves the built page with its settings. Any web server does: nothing here knows the game. */
export async function servePage({ settings, port }: PageOptions) {
  const server = createServer(({ url }, response) => {
    // The path may be malformed.
    const [path = ''] = url!.split('?')
    if (path !== '/settings.json') return sendFile(path, response)
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    response.end(JSON.stringify(settings))
  }).listen(port, '127.0.0.1')
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
