import { layers as basemapLayers } from '@protomaps/basemaps'
import { addProtocol, type LayerSpecification } from 'maplibre-gl'
import { Protocol } from 'pmtiles'
import { type Colours, isDarkNow } from '../../colours.ts'
import type { Base } from '../base.ts'
import { baseLayers, FONT, FONT_BOLD, NO_FEATURES } from '../base-style.ts'
import { fillWorld } from '../bundled.ts'
import { FONTS, flavorOf } from './flavor.ts'
import { basemapIcons } from './sprites.ts'

/** From this zoom level on, only the archive is drawn: the bundled coasts are too coarse beside streets. */
const STREETS_ZOOM = 7
const WORLD = ['land', 'sea', 'borders']

let isRegistered = false

/** Streets from a PMTiles archive of this service, over the land of the bundled map where the archive ends. */
export function streetsBase({ url, attribution }: { url: string; attribution: string | null }): Base {
  if (!isRegistered) addProtocol('pmtiles', new Protocol().tile)
  isRegistered = true
  return {
    style: (colours) => ({
      version: 8,
      sources: {
        land: { type: 'geojson', data: NO_FEATURES, tolerance: 0.2 },
        borders: { type: 'geojson', data: NO_FEATURES, tolerance: 0.2 },
        streets: {
          type: 'vector',
          url: `pmtiles://${new URL(url, window.location.origin)}`,
          attribution: attribution ?? '',
        },
      },
      layers: layersOf(colours),
    }),
    layers: layersOf,
    texts: 'address_label',
    fill: fillWorld,
    icons: basemapIcons,
  }
}

function layersOf(colours: Colours): LayerSpecification[] {
  const world = baseLayers(colours).filter(({ id }) => WORLD.includes(id))
  const [ground, ...streets] = basemapLayers('streets', flavorOf(colours, isDarkNow()), {
    lang: document.documentElement.lang || 'en',
  }) as LayerSpecification[]
  return [ground!, ...world.map((layer) => ({ ...layer, maxzoom: STREETS_ZOOM })), ...streets.map(inPageFonts)]
}

/** The layer with the fonts of the page, in which MapLibre draws when a style has no glyphs. */
function inPageFonts(layer: LayerSpecification): LayerSpecification {
  if (layer.type !== 'symbol' || !layer.layout?.['text-field']) return layer
  const isBold = JSON.stringify(layer.layout['text-font'] ?? []).includes(`"${FONTS.bold}"`)
  return { ...layer, layout: { ...layer.layout, 'text-font': isBold ? FONT_BOLD : FONT } }
}
