import type { Feature, GeoJSON } from 'geojson'
import { GeoJSONSource, type Map as MapLibre } from 'maplibre-gl'
import { useEffect } from 'react'

/** Keeps a source of the map to what is given: the same object as long as it is the same. */
export function useSource(map: MapLibre | null, id: string, data: GeoJSON) {
  useEffect(() => {
    const source = map?.getSource(id)
    if (source instanceof GeoJSONSource) void source.setData(data)
  }, [map, id, data])
}

/** What is handed to the worker of the map is copied: so many at once hold the page up for some 50 ms. */
const AT_ONCE = 20_000

/** Keeps a source of the map to many things, which come to it by and by. @param items the same list as long as it is the same @param featureOf the same function in every drawing; its features have ids */
export function useFeatures<Item>(map: MapLibre | null, id: string, items: Item[], featureOf: (item: Item) => Feature) {
  useEffect(() => {
    const source = map?.getSource(id)
    if (!(source instanceof GeoJSONSource)) return undefined
    let isOver = false
    const part = (at: number) => items.slice(at, at + AT_ONCE).map(featureOf)
    const fill = async () => {
      await source.setData({ type: 'FeatureCollection', features: part(0) })
      for (let at = AT_ONCE; at < items.length && !isOver; at += AT_ONCE) await source.updateData({ add: part(at) })
    }
    void fill()
    return () => {
      isOver = true
    }
  }, [map, id, items, featureOf])
}
