import { GeoJSONSource, type Map as MapLibre } from 'maplibre-gl'
import type { Base } from './base.ts'
import { baseLayers, baseStyle, GRID_ZOOM } from './base-style.ts'
import { BUTTONS_HEIGHT, gridOf } from './grid.ts'
import { loadWorld } from './world.ts'

/** Metres per pixel at the equator at zoom 0, with 512-pixel tiles. */
const PIXEL = 40_075_016.686 / 512

/** The bundled map: land, borders, place names and a metric grid. */
export const bundledBase: Base = {
  style: baseStyle,
  layers: baseLayers,
  texts: 'places',
  fill(map) {
    const world = fillWorld(map)
    const drawGrid = () => {
      if (map.getZoom() < GRID_ZOOM) return
      const bounds = map.getBounds()
      const pixel = (PIXEL * Math.cos((map.getCenter().lat * Math.PI) / 180)) / 2 ** map.getZoom()
      const view = {
        west: bounds.getWest(),
        south: bounds.getSouth(),
        east: bounds.getEast(),
        north: bounds.getNorth(),
      }
      const { lines, labels } = gridOf(view, pixel, coveredOf(map))
      fillSource(map, 'grid', lines)
      fillSource(map, 'grid-labels', labels)
    }
    map.on('moveend', drawGrid)
    drawGrid()
    return world
  },
}

/** How far the buttons over a map reach along its upper edge, from the left, in pixels. */
function coveredOf(map: MapLibre): number {
  const { left, top } = map.getContainer().getBoundingClientRect()
  const over = map.getContainer().parentElement?.querySelectorAll('[data-over-map]') ?? []
  const boxes = [...over].map((element) => element.getBoundingClientRect())
  return Math.max(0, ...boxes.filter((box) => box.top - top < BUTTONS_HEIGHT).map((box) => box.right - left))
}

/** Fills those of the sources `land`, `borders` and `places` that the style has. A map works without them. */
export function fillWorld(map: MapLibre): Promise<void> {
  return loadWorld().then(
    (world) => {
      for (const [id, data] of Object.entries(world)) fillSource(map, id, data)
    },
    () => {},
  )
}

function fillSource(map: MapLibre, id: string, data: GeoJSON.GeoJSON) {
  const source = map.getSource(id)
  if (source instanceof GeoJSONSource) void source.setData(data)
}
