import {
  type LayerSpecification,
  type LngLatBoundsLike,
  Map as MapLibre,
  type MapSourceDataEvent,
  prewarm,
  ScaleControl,
  type SourceSpecification,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { sessionHeaders } from '../session/session-token.ts'
import type { Base } from './base-map/base.ts'
import { FONT, FONT_BOLD } from './base-map/base-style.ts'
import './map-controls.css'
import { type Colours, coloursNow, onColours } from './colours.ts'
import type { Icon, Icons } from './icons.ts'
import { type Fonts, withOverlay } from './overlay-style.ts'

export type { Fonts }

const OUR_FONTS: Fonts = { plain: FONT, bold: FONT_BOLD }

/** What a page draws over the base map: sources that are filled later, layers and icons. */
export type Overlay = {
  sources: Record<string, SourceSpecification>
  /** The sources of which the first drawing is measured. */
  shown?: { source: string; sourceLayer?: string }[]
  layers: (colours: Colours, fonts: Fonts) => LayerSpecification[]
  icons?: (colours: Colours) => Icons
  /** An icon that is drawn when a layer first asks for its name. */
  iconNamed?: (name: string, colours: Colours) => Icon | undefined
}

/** The initial view. */
export type Start = { center: [longitude: number, latitude: number]; zoom: number } | { bounds: LngLatBoundsLike }

type Options = {
  container: HTMLElement
  overlay: Overlay
  start: Start
  /** The accessible name of the map. */
  label: string
  /** The accessible name of the button that closes a popup. */
  closeLabel?: string | undefined
  /** What is drawn below, or instead of a style that fails to load. */
  base: Base
  /** A style on another host that replaces it. */
  styleUrl: string | null
  /** Called when the style fails to load and the base replaces it. */
  onStyleFailed?: () => void
  /** Called when the sources exist. */
  onReady: (map: MapLibre) => void
}

/** Creates a map in an element. `data-map` is `idle` once everything is drawn. @returns a function to remove the map @throws if the browser does not support WebGL 2 */
export function createMap({
  container,
  overlay,
  start,
  label,
  closeLabel,
  base,
  styleUrl,
  ...on
}: Options): () => void {
  setWorkerUrl(workerUrl)
  const own = () => base.style(coloursNow())
  const map = new MapLibre({
    container,
    ...('bounds' in start ? { bounds: start.bounds, fitBoundsOptions: { padding: 64, maxZoom: 17 } } : start),
    attributionControl: { compact: false },
    locale: { 'Map.Title': label, ...(closeLabel ? { 'Popup.Close': closeLabel } : {}) },
    // Tiles are open, but count against the user instead of the address.
    transformRequest: (url) =>
      url.startsWith(`${window.location.origin}/ogc/`) ? { url, headers: sessionHeaders() } : { url },
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    // Fading names would be drawn frame by frame: each input would wait for one.
    fadeDuration: 0,
    maxZoom: 22,
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  map.addControl(new ScaleControl({ maxWidth: 120 }), 'bottom-left')
  let isOwn = styleUrl === null
  let isDressed = false
  const withPage = (style: StyleSpecification) => {
    const layers = (fonts: Fonts) => overlay.layers(coloursNow(), fonts)
    return withOverlay(style, { sources: overlay.sources, layers }, OUR_FONTS, isOwn ? base.texts : undefined)
  }
  // If the style fails to load, use our own.
  const instead = () => {
    isOwn = true
    map.setStyle(withPage(own()), { diff: false })
    on.onStyleFailed?.()
  }
  if (!isOwn) map.once('error', instead)

  /** The names of icons that layers have asked for. */
  const asked = new Set<string>()
  const dress = (colours: Colours) => {
    const named = [...asked].map((name) => [name, overlay.iconNamed?.(name, colours)] as const)
    for (const [name, icon] of [...Object.entries(overlay.icons?.(colours) ?? {}), ...named])
      if (icon) putIcon(map, name, icon)
  }
  map.setMissingStyleImageResolver((name) => {
    const icon = overlay.iconNamed?.(name, coloursNow())
    if (!icon) return
    asked.add(name)
    putIcon(map, name, icon)
  })
  let isFilled = false
  const fillBase = async () => {
    if (isOwn) await base.fill(map)
    isFilled = true
    map.triggerRepaint()
  }
  map.on('style.load', () => {
    map.off('error', instead)
    markFirstPaint(map, overlay, fillBase)
    dress(coloursNow())
    isDressed = true
    if (isOwn) void dressBase(map, base)
    on.onReady(map)
  })
  const forget = onColours(() => {
    if (!isDressed) return
    container.dataset.map = 'busy'
    const colours = coloursNow()
    dress(colours)
    if (isOwn) void dressBase(map, base)
    for (const { id, paint } of [...(isOwn ? base.layers(colours) : []), ...overlay.layers(colours, OUR_FONTS)])
      for (const [name, value] of Object.entries(paint ?? {})) map.setPaintProperty(id, name as never, value as never)
  })
  // The base has kinds of places without an icon.
  map.on('styleimagemissing', ({ id }) => {
    if (!map.hasImage(id)) map.addImage(id, { width: 1, height: 1, data: new Uint8Array(4) })
  })
  watchIdle(map, container, () => isFilled)
  if (styleUrl === null) map.setStyle(withPage(own()))
  else map.setStyle(styleUrl, { transformStyle: (_, style) => withPage(style) })
  return () => {
    forget()
    map.remove()
  }
}

function putIcon(map: MapLibre, name: string, { image, pixelRatio }: Icon) {
  if (map.hasImage(name)) map.updateImage(name, image)
  else map.addImage(name, image, { pixelRatio })
}

/** Adds the icons of the base in the current colour scheme. A map works without them. */
async function dressBase(map: MapLibre, base: Base) {
  const icons: Icons = (await base.icons?.().catch(() => undefined)) ?? {}
  for (const [name, { image, pixelRatio }] of Object.entries(icons)) {
    if (map.hasImage(name)) map.removeImage(name)
    map.addImage(name, image, { pixelRatio })
  }
}

/**
 * Marks the style, and the first drawing of what the map shows, as `map-style` and `map-first-paint` of User Timing.
 * @param then is called after it, or when there is nothing of it in view: the base would be in its way
 */
function markFirstPaint(map: MapLibre, { shown }: Overlay, then: () => Promise<void>) {
  performance.mark('map-style')
  let isOver = false
  const fill = () => {
    if (!isOver) void then()
    isOver = true
  }
  if (!shown) return fill()
  map.once('idle', fill)
  const onTile = ({ tile, sourceId }: MapSourceDataEvent) => {
    const one = tile && shown.find(({ source }) => source === sourceId)
    if (!one || map.querySourceFeatures(one.source, one).length === 0) return
    map.off('sourcedata', onTile)
    map.once('render', () => {
      performance.mark('map-first-paint')
      fill()
    })
  }
  map.on('sourcedata', onTile)
}

/** Starts the worker of maps, which takes some time, before there is a map. */
export function prepareMaps(): void {
  setWorkerUrl(workerUrl)
  prewarm()
}

function watchIdle(map: MapLibre, container: HTMLElement, isFilled: () => boolean) {
  const say = (state: string) => () => {
    container.dataset.map = state
  }
  say('busy')()
  for (const event of ['movestart', 'sourcedataloading', 'render'] as const) map.on(event, say('busy'))
  map.on('idle', () => isFilled() && say('idle')())
}
