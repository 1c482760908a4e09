import type { Zone } from '@cairn/sdk'
import { type GeoJSONSource, Map as LibreMap, LngLatBounds, Marker, NavigationControl, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { circle, type Point } from './geometry.ts'
import { palette, parkStyle } from './style.ts'
import type { Treasure } from './treasures.ts'

setWorkerUrl(workerUrl)

/** The map: the park, a cross for each treasure, and the player with the reach. */
export function drawMap({
  zone,
  styleUrl,
  reach,
  onTap,
  onTreasure,
}: {
  zone: Zone
  /** A style URL to replace the built-in offline style. */
  styleUrl: string | null
  reach: number
  onTap: (there: Point) => void
  onTreasure: (treasure: Treasure) => void
}) {
  const map = new LibreMap({
    container: 'map',
    style: styleUrl ?? parkStyle(zone, palette()),
    bounds: boundsOf(zone),
    fitBoundsOptions: { padding: { top: 90, bottom: 130, left: 30, right: 30 } },
    attributionControl: styleUrl ? {} : false,
    pitchWithRotate: false,
    keyboard: false, // the arrow keys walk
  })
  map.addControl(new NavigationControl({ showCompass: false }), 'bottom-right')
  map.on('click', ({ lngLat }) => onTap({ lat: lngLat.lat, lon: lngLat.lng }))
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (!styleUrl) map.setStyle(parkStyle(zone, palette()))
  })

  const treasures = new Map<string, HTMLElement>()
  const you = document.createElement('div')
  you.className = 'you'
  you.title = 'You'
  const player = new Marker({ element: you })
  let here: Point | undefined

  const drawReach = () => {
    if (!here) return
    const ring = { type: 'Polygon' as const, coordinates: [circle(here, reach)] }
    const data = { type: 'Feature' as const, properties: {}, geometry: ring }
    const known = map.getSource<GeoJSONSource>('reach')
    if (known) return void known.setData(data)
    map.addSource('reach', { type: 'geojson', data })
    const colour = palette().reach
    map.addLayer({ id: 'reach', type: 'fill', source: 'reach', paint: { 'fill-color': colour, 'fill-opacity': 0.18 } })
  }
  // Layers must be added again after each style change.
  map.on('styledata', drawReach)

  return {
    showTreasures(shown: Treasure[]) {
      for (const treasure of shown) {
        const button = document.createElement('button')
        button.className = 'treasure'
        button.ariaLabel = treasure.name
        button.title = treasure.name
        button.addEventListener('click', (event) => {
          event.stopPropagation()
          onTreasure(treasure)
        })
        new Marker({ element: button }).setLngLat([treasure.place.lon, treasure.place.lat]).addTo(map)
        treasures.set(treasure.fenceId, button)
      }
    },
    markFound(fenceIds: readonly string[]) {
      for (const id of fenceIds) treasures.get(id)?.classList.add('found')
    },
    movePlayer(point: Point) {
      here = point
      player.setLngLat([point.lon, point.lat]).addTo(map)
      if (map.isStyleLoaded()) drawReach()
    },
  }
}

function boundsOf({ boundary }: Zone): LngLatBounds {
  const bounds = new LngLatBounds()
  const rings = boundary?.type === 'Polygon' ? boundary.coordinates : (boundary?.coordinates.flat() ?? [])
  for (const ring of rings) for (const [lon, lat] of ring) bounds.extend([lon!, lat!])
  return bounds.isEmpty() ? new LngLatBounds([-0.01, 51.47], [0.01, 51.483]) : bounds
}
