import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'

const FOLDER = new URL('../../node_modules/maplibre-gl/dist/', import.meta.url)
/** One point as a disc on a plain ground: no map draws less. */
const PAGE = `<!doctype html><link rel="stylesheet" href="/maplibre-gl.css" />
<div id="map" style="position: fixed; inset: 0 0 0 400px"></div>
<script type="module">
import { Map, setWorkerUrl } from '/maplibre-gl.mjs'
setWorkerUrl('/maplibre-gl-worker.mjs')
const point = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [0, 0] } }
const map = new Map({ container: 'map', center: [0, 0], zoom: 14, style: { version: 8,
  sources: { point: { type: 'geojson', data: point } },
  layers: [
    { id: 'ground', type: 'background', paint: { 'background-color': '#eee' } },
    { id: 'point', type: 'circle', source: 'point', paint: { 'circle-radius': 20 } },
  ] } })
window.painted = new Promise((done) => {
  map.on('style.load', () => performance.mark('map-style'))
  const look = () => {
    if (map.querySourceFeatures('point').length === 0) return
    map.off('sourcedata', look)
    map.once('render', () => done((performance.now() - performance.getEntriesByName('map-style')[0].startTime) / 1000))
  }
  map.on('sourcedata', look)
})
</script>`

const TYPES: Record<string, string> = { css: 'text/css', mjs: 'text/javascript' }

/** Seconds from the style of a map of MapLibre with one disc to its drawing: how fast this machine draws any map. */
export async function secondsOfBareMap(browser: Browser): Promise<number> {
  const server = createServer(({ url }, response) => {
    const [, name, type] = /^\/([\w-]+\.(mjs|css))$/.exec(url!) ?? []
    response.setHeader('content-type', TYPES[type!] ?? 'text/html')
    if (name) createReadStream(fileURLToPath(new URL(name, FOLDER))).pipe(response)
    else response.end(PAGE)
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } })
  try {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    return await page.evaluate<number>('window.painted')
  } finally {
    await context.close()
    server.close()
  }
}
