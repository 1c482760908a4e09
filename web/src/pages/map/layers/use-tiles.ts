import { useQuery } from '@tanstack/react-query'
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { usePendingDeletions } from '../pending-deletions.ts'
import { singleFilter, type TiledCollection, tileLayerOf, tileLayersOf, tileSourceOf } from './tile-layers.ts'

const KINDS: Record<TiledCollection, string> = { pins: 'pin', gcps: 'gcp' }

/** Shows the tiles of a collection, without features whose deletion is pending, and requests them again after changes. */
export function useTiles(map: MapLibre | null, collection: TiledCollection, isShown: boolean) {
  const hidden = usePendingDeletions()
  useEffect(() => {
    for (const id of map ? tileLayersOf(collection) : [])
      map!.setLayoutProperty(id, 'visibility', isShown ? 'visible' : 'none')
  }, [map, collection, isShown])

  useEffect(() => {
    if (!map) return
    const prefix = `${KINDS[collection]}:`
    const ids = [...hidden].filter((name) => name.startsWith(prefix)).map((name) => Number(name.slice(prefix.length)))
    for (const id of [tileLayerOf(collection), `${tileSourceOf(collection)}-names`])
      map.setFilter(id, singleFilter(collection, ids))
  }, [map, collection, hidden])

  // Made again with the data of the map, whenever something on it was changed.
  const { data: version } = useQuery({
    queryKey: ['map', 'version'],
    queryFn: () => performance.now(),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const drawn = useRef(version)
  useEffect(() => {
    const isChanged = drawn.current !== undefined && drawn.current !== version
    drawn.current = version
    if (map && isChanged) map.refreshTiles(tileSourceOf(collection))
  }, [map, collection, version])
}
