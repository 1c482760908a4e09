import { useQuery } from '@tanstack/react-query'
import type { Map as MapLibre, MapSourceDataEvent } from 'maplibre-gl'
import { useEffect, useMemo, useRef, useState } from 'react'
import { usePendingDeletions } from '../pending-deletions.ts'
import { keyOf } from '../url-state.ts'
import type { Spot, TiledCollection } from './spot.ts'
import { ARE_SPOTS_DRAWN, tileSourceOf } from './tile-layers.ts'
import { spotsOfTiles } from './tile-spots.ts'

const NONE: Spot[] = []
/** Tiles that arrive within this time are drawn together. */
const READ_MS = 50

/** What the tiles of a collection that have arrived show in view, without places whose deletion is pending. Tiles are requested again after changes. */
export function useTiles(map: MapLibre | null, collection: TiledCollection, isTiled: boolean): Spot[] {
  const hidden = usePendingDeletions()
  const source = tileSourceOf(collection)
  const [spots, setSpots] = useState(NONE)

  useEffect(() => {
    if (!map) return undefined
    map.setLayoutProperty(source, 'visibility', isTiled ? 'visible' : 'none')
    if (!isTiled) return undefined
    let last = ''
    let timer: number | undefined
    const read = () => {
      timer = undefined
      const found = spotsOfTiles(collection, featuresOf(map, collection))
      const now = JSON.stringify(found)
      if (now !== last) setSpots(found)
      last = now
    }
    const onTile = ({ sourceId, tile }: MapSourceDataEvent) => {
      if (tile && sourceId === source) timer ??= window.setTimeout(read, READ_MS)
    }
    map.on('sourcedata', onTile)
    map.on('idle', read)
    return () => {
      map.off('sourcedata', onTile)
      map.off('idle', read)
      clearTimeout(timer)
      setSpots(NONE)
    }
  }, [map, collection, source, isTiled])

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
    if (map && isChanged) map.refreshTiles(source)
  }, [map, source, version])

  return useMemo(() => {
    if (!isTiled) return NONE
    return hidden.size === 0 ? spots : spots.filter((spot) => !hidden.has(keyOf(spot)))
  }, [spots, hidden, isTiled])
}

/** Says so on the map once places are drawn, in place of the discs of tiles. */
export function useSpotsDrawn(map: MapLibre | null) {
  useEffect(() => {
    if (!map) return undefined
    const onTile = ({ sourceId, tile }: MapSourceDataEvent) => {
      if (!tile || sourceId !== 'spots' || map.querySourceFeatures('spots').length === 0) return
      map.off('sourcedata', onTile)
      map.setGlobalStateProperty(ARE_SPOTS_DRAWN, true)
    }
    map.on('sourcedata', onTile)
    return () => {
      map.off('sourcedata', onTile)
    }
  }, [map])
}

const featuresOf = (map: MapLibre, collection: TiledCollection) =>
  map
    .querySourceFeatures(tileSourceOf(collection), { sourceLayer: collection })
    .flatMap(({ id, geometry, properties }) => {
      if (geometry.type !== 'Point') return []
      const [lon, lat] = geometry.coordinates as [number, number]
      return [{ id, lat, lon, properties }]
    })
