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

/** What a page draws over the base map: sources that are filled later, layers and icons. */
export type Overlay = {
  sources: Record<string, SourceSpecification>
  layers: (colours: Colours, fonts: Fonts) => LayerSpecification[]
  icons?: (colours: Colours) => Icons
}

/** The initial view. */
export type Start = { center: [longitude: number, latitude: number]; zoom: number } | { bounds: LngLatBoundsLike }

type Options = {
  container: HTMLElement
  overlay: Overlay
  start: Start
  /** The accessible name of the map. */
  label: string
  /** A style URL that replaces the bundled style. */
  styleUrl: string | null
  /** Called when the sources exist. */
  onReady: (map: MapLibre) => void
}

/** Metres per pixel at the equator at zoom 0, with 512-pixel tiles. */
const PIXEL = 40_075_016.686 / 512

/** Creates a map in an element. `data-map` is `idle` once everything is drawn. @returns a function to remove the map @throws if the browser does not support WebGL 2 */
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
  // If the style fails to load, use the bundled one.
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

/** The id of the base layer to insert this layer below, from its metadata. */
const belowOf = ({ metadata }: LayerSpecification) => (metadata as { below?: string } | undefined)?.below

const OUR_FONTS: Fonts = { plain: FONT, bold: FONT_BOLD }

/** The fonts of a style with its own glyphs, which has no other fonts. */
function fontsOf({ glyphs, layers }: StyleSpecification): Fonts {
  if (!glyphs) return OUR_FONTS
  const fonts = layers.map((layer) => (layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined))
  const isList = (one: unknown): one is string[] =>
    Array.isArray(one) && one[0] !== 'literal' && one.every((name) => typeof name === 'string')
  const font = fonts.find(isList)
  return font ? { plain: font, bold: font } : OUR_FONTS
}

/** Fills the sources of the bundled style and redraws the grid as the map moves. */
function fillBase(map: MapLibre) {
  const fill = (id: string, data: GeoJSON.GeoJSON) => {
    const source = map.getSource(id)
    if (source instanceof GeoJSONSource) void source.setData(data)
  }
  loadWorld().then(
    (world) => {
      for (const [id, data] of Object.entries(world)) fill(id, data)
    },
    // The overlay works without the base map.
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
