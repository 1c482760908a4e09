import type { Feature, GeoJSON } from 'geojson'
import { GeoJSONSource, type Map as MapLibre } from 'maplibre-gl'
import { useEffect } from 'react'

/** Sets the data of a map source. `data` must be referentially stable. */
export function useSource(map: MapLibre | null, id: string, data: GeoJSON) {
  useEffect(() => {
    const source = map?.getSource(id)
    if (source instanceof GeoJSONSource) void source.setData(data)
  }, [map, id, data])
}

/** Data is copied to the map's worker. This many features block the page for about 50 ms. */
const AT_ONCE = 20_000

/** Fills a map source in batches. @param items must be referentially stable @param featureOf must be stable; its features need ids */
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
