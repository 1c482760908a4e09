import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useMemo, useRef, useState } from 'react'
import { NO_FEATURES } from '../../../map/base-map/base-style.ts'
import type { Overlay } from '../../../map/create-map.ts'
import { pinIcon } from '../../../map/icons.ts'
import { MapCanvas } from '../../../map/map-canvas.tsx'
import { useSource } from '../../../map/use-source.ts'
import { messages } from '../../../messages/index.ts'
import classes from '../guide.module.css'

type Point = { latitude: number; longitude: number }
type Props = { point: Point | undefined; onPoint: (point: Point) => void }

const CLOSE_ZOOM = 14
const START = { center: [10, 25] as [number, number], zoom: 0.8 }

const overlay: Overlay = {
  sources: { pin: { type: 'geojson', data: NO_FEATURES } },
  layers: () => [
    {
      id: 'pin',
      type: 'symbol',
      source: 'pin',
      layout: { 'icon-image': 'pin', 'icon-anchor': 'bottom', 'icon-allow-overlap': true },
    },
  ],
  icons: (colours) => ({ pin: pinIcon(colours.accent!, colours['map-on-tag']!) }),
}

/** The map on which a pin is placed: a click is the same as two numbers in the fields. */
export function PlaceMap({ point, onPoint }: Props) {
  const [map, setMap] = useState<MapLibre | null>(null)
  const now = useRef(onPoint)
  now.current = onPoint
  const isPressed = useRef(false)
  useEffect(() => {
    if (!map) return undefined
    map.getCanvas().style.cursor = 'crosshair'
    const press = map.on('click', ({ lngLat }) => {
      const { lat, lng } = lngLat.wrap()
      isPressed.current = true
      now.current({ latitude: lat, longitude: lng })
    })
    return () => press.unsubscribe()
  }, [map])

  const [latitude, longitude] = [point?.latitude, point?.longitude]
  const data = useMemo((): GeoJSON.FeatureCollection => {
    if (latitude === undefined || longitude === undefined) return NO_FEATURES as GeoJSON.FeatureCollection
    const geometry = { type: 'Point' as const, coordinates: [longitude, latitude] }
    return { type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry }] }
  }, [latitude, longitude])
  useSource(map, 'pin', data)
  // What is typed or pasted is brought into view; a click is in view already.
  useEffect(() => {
    if (!map || latitude === undefined || longitude === undefined) return
    if (!isPressed.current) map.jumpTo({ center: [longitude, latitude], zoom: Math.max(map.getZoom(), CLOSE_ZOOM) })
    isPressed.current = false
  }, [map, latitude, longitude])
  return (
    <div className={classes.map}>
      <MapCanvas overlay={overlay} start={START} label={messages.welcome.place.map} onMap={setMap} />
    </div>
  )
}
