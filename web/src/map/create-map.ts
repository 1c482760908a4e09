import {
  GeoJSONSource,
  type LayerSpecification,
  type LngLatBoundsLike,
  Map as MapLibre,
  ScaleControl,
  type SourceSpecification,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { baseLayers, baseStyle, FONT, FONT_BOLD, GRID_ZOOM } from './base-map/base-style.ts'
import { gridOf } from './base-map/grid.ts'
import { loadWorld } from './base-map/world.ts'
import { type Colours, coloursNow, onColours } from './colours.ts'
import type { Icons } from './icons.ts'

export type Fonts = { plain: string[]; bold: string[] }

/** What a page draws over the base: sources that are filled later, layers and pictures in the colours of the page. */
export type Overlay = {
  sources: Record<string, SourceSpecification>
  layers: (colours: Colours, fonts: Fonts) => LayerSpecification[]
  icons?: (colours: Colours) => Icons
}

/** What a map shows first. */
export type Start = { center: [longitude: number, latitude: number]; zoom: number } | { bounds: LngLatBoundsLike }

type Options = {
  container: HTMLElement
  overlay: Overlay
  start: Start
  /** What the map is called for those who do not see it. */
  label: string
  /** A style with streets, instead of the bundled one. */
  styleUrl: string | null
  /** The sources are there. */
  onReady: (map: MapLibre) => void
}

/** Metres of a pixel on the equator at zoom 0, in tiles of 512 pixels. */
const PIXEL = 40_075_016.686 / 512

/** A map in an element, whose `data-map` is `idle` while it has drawn all there is. @returns what removes it @throws where the browser has no WebGL 2 */
export function createMap({ container, overlay, start, label, styleUrl, onReady }: Options): () => void {
  setWorkerUrl(workerUrl)
  const bundled = () => baseStyle(coloursNow())
  const map = new MapLibre({
    container,
    style: styleUrl ?? bundled(),
    ...('bounds' in start ? { bounds: start.bounds, fitBoundsOptions: { padding: 64, maxZoom: 17 } } : start),
    attributionControl: { compact: false },
    locale: { 'Map.Title': label },
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxZoom: 22,
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  map.addControl(new ScaleControl({ maxWidth: 120 }), 'bottom-left')
  let isBundled = styleUrl === null
  let isDressed = false
  // A style that does not come leaves the bundled one.
  const instead = () => {
    isBundled = true
    map.setStyle(bundled(), { diff: false })
  }
  if (!isBundled) map.once('error', instead)

  const dress = (colours: Colours) => {
    for (const [name, { image, pixelRatio }] of Object.entries(overlay.icons?.(colours) ?? {}))
      if (map.hasImage(name)) map.updateImage(name, image)
      else map.addImage(name, image, { pixelRatio })
  }
  const layersNow = (colours: Colours) => overlay.layers(colours, isBundled ? OUR_FONTS : fontsOf(map.getStyle()))

  map.on('style.load', () => {
    map.off('error', instead)
    const colours = coloursNow()
    dress(colours)
    for (const [id, source] of Object.entries(overlay.sources)) map.addSource(id, source)
    for (const layer of layersNow(colours)) map.addLayer(layer, isBundled ? belowOf(layer) : undefined)
    isDressed = true
    if (isBundled) fillBase(map)
    onReady(map)
  })
  const forget = onColours(() => {
    if (!isDressed) return
    container.dataset.map = 'busy'
    const colours = coloursNow()
    dress(colours)
    for (const { id, paint } of [...(isBundled ? baseLayers(colours) : []), ...layersNow(colours)])
      for (const [name, value] of Object.entries(paint ?? {})) map.setPaintProperty(id, name as never, value as never)
  })
  watchIdle(map, container)
  return () => {
    forget()
    map.remove()
  }
}

/** What is to lie under a layer of the bundled style says so in its metadata. */
const belowOf = ({ metadata }: LayerSpecification) => (metadata as { below?: string } | undefined)?.below

const OUR_FONTS: Fonts = { plain: FONT, bold: FONT_BOLD }

/** The fonts of a style that brings its own glyphs: it has no others. */
function fontsOf({ glyphs, layers }: StyleSpecification): Fonts {
  if (!glyphs) return OUR_FONTS
  const fonts = layers.map((layer) => (layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined))
  const isList = (one: unknown): one is string[] =>
    Array.isArray(one) && one[0] !== 'literal' && one.every((name) => typeof name === 'string')
  const font = fonts.find(isList)
  return font ? { plain: font, bold: font } : OUR_FONTS
}

/** Puts land, borders and names into the bundled style, and keeps the grid to what is seen. */
function fillBase(map: MapLibre) {
  const fill = (id: string, data: GeoJSON.GeoJSON) => {
    const source = map.getSource(id)
    if (source instanceof GeoJSONSource) void source.setData(data)
  }
  loadWorld().then(
    (world) => {
      for (const [id, data] of Object.entries(world)) fill(id, data)
    },
    // The things on the map are of use without it.
    () => {},
  )
  const drawGrid = () => {
    if (map.getZoom() < GRID_ZOOM) return
    const bounds = map.getBounds()
    const pixel = (PIXEL * Math.cos((map.getCenter().lat * Math.PI) / 180)) / 2 ** map.getZoom()
    const view = { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
    const { lines, labels } = gridOf(view, pixel)
    fill('grid', lines)
    fill('grid-labels', labels)
  }
  map.on('moveend', drawGrid)
  drawGrid()
}

function watchIdle(map: MapLibre, container: HTMLElement) {
  const say = (state: string) => () => {
    container.dataset.map = state
  }
  say('busy')()
  for (const event of ['movestart', 'sourcedataloading', 'render'] as const) map.on(event, say('busy'))
  map.on('idle', say('idle'))
}
