import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('page/', import.meta.url))
const three = dirname(dirname(createRequire(import.meta.url).resolve('three')))

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.ts': 'text/javascript',
  '.wasm': 'application/wasm',
}

const html = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="importmap">{ "imports": {
  "three": "/three/build/three.module.js", "three/examples/": "/three/examples/"
} }</script>
<script type="module" src="/page/main.ts"></script>`

/**
 * Serves the page that draws, three.js and the models, on loopback only. The page is TypeScript: its types are stripped when
 * served.
 */
export async function servePictures() {
  const models = new Map<string, Uint8Array>()
  const answer = async (path: string): Promise<{ type: string; body: Uint8Array | string }> => {
    if (path === '/') return { type: 'text/html', body: html }
    const [, area, ...rest] = path.split('/')
    if (area === 'model') return { type: 'application/octet-stream', body: models.get(rest.join('/'))! }
    const file = normalize(join(area === 'three' ? three : page, ...rest))
    if (!file.startsWith(area === 'three' ? three : page)) throw new Error('outside')
    const type = types[extname(file)] ?? 'application/octet-stream'
    if (extname(file) === '.ts') return { type, body: stripTypeScriptTypes(await readFile(file, 'utf8')) }
    return { type, body: await readFile(file) }
  }
  const server = createServer((request, response) => {
    answer(decodeURIComponent(new URL(request.url!, 'http://x').pathname)).then(
      ({ type, body }) => response.setHeader('content-type', type).end(body),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the models at /model/source.glb and /model/result.usdz. */
    offer(glb: Uint8Array, usdz: Uint8Array): void {
      models.set('source.glb', glb).set('result.usdz', usdz)
    },
    stop: () => server.close(),
  }
}
