import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Feature } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useMemo, useState } from 'react'
import { useSource } from '../../../map/use-source.ts'
import { useCairn } from '../../../session/session.tsx'
import { featureCollection } from '../layers/spots.ts'
import { snapToGrid, toBbox, type Viewport } from '../use-viewport.ts'
import { ringOf } from './footprint.ts'
import type { ModelLayer, Progress } from './model-layer.ts'
import { type PlacedModel, placedModelOf } from './placed-model.ts'

/** From this zoom on a person is some pixels tall. */
const MODELS_FROM = 17
/** The nearest ones to the middle of the map are drawn. */
const MOST_MODELS = 12
/** The layer above the models. */
const ABOVE = 'clusters'
const NONE: PlacedModel[] = []
const NONE_DRAWN: Progress['drawn'] = []

/** Draws the models of pins in view at their size and heading once the map is near enough, with their footprints. @returns how many are drawn, and how many are not */
export function useModels(map: MapLibre | null, view: Viewport | null, isOn: boolean) {
  const cairn = useCairn()
  const isNear = isOn && view !== null && (map?.getZoom() ?? 0) >= MODELS_FROM
  const [lat, lon, bbox] = isNear ? [view.middle.lat, view.middle.lon, toBbox(snapToGrid(view.box))] : []
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['map', 'models', lat, lon, bbox],
    queryFn: async ({ signal }) => {
      const query = { bbox: bbox!, contentType: 'GLB' as const, pose: 'eus' as const, limit: 100 }
      const { items } = await cairn.pins.near(lat!, lon!, query, { signal }).first()
      const placed = items.flatMap((pin) => placedModelOf(pin) ?? [])
      // By ID, so that the same models in another order are not shown again.
      const nearest = placed.slice(0, MOST_MODELS).sort((a, b) => Number(a.id) - Number(b.id))
      return { models: nearest, total: items.length }
    },
    enabled: isNear,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })
  const models = (isNear && data?.models) || NONE
  const progress = useDrawn(map, models, dataUpdatedAt)
  const drawn = progress?.drawn ?? NONE_DRAWN
  const footprints = useMemo(
    () =>
      featureCollection(
        drawn.map(
          ({ id, place, corners }): Feature => ({
            type: 'Feature',
            geometry: { type: 'Polygon', coordinates: [ringOf(place, corners)] },
            properties: { id },
          }),
        ),
      ),
    [drawn],
  )
  useSource(map, 'footprints', footprints)
  const total = isNear ? (data?.total ?? 0) : 0
  return { drawn: drawn.length, left: progress ? Math.max(0, total - drawn.length - progress.loading) : 0 }
}

/** Draws models by a layer, which is there while there are any, once its code is. @param readAt when they were read @returns undefined while there is no layer */
function useDrawn(map: MapLibre | null, models: PlacedModel[], readAt: number): Progress | undefined {
  const [layer, setLayer] = useState<ModelLayer | null>(null)
  const [progress, setProgress] = useState<Progress>()
  const isWanted = models.length > 0
  useEffect(() => {
    if (!map || !isWanted) return undefined
    let isOver = false
    let made: ModelLayer | undefined
    const make = async () => {
      const { modelLayer } = await import('./model-layer.ts')
      if (isOver) return
      made = modelLayer(map, ABOVE, setProgress)
      setLayer(made)
    }
    // Without the code, the map is as it was.
    void make().catch(() => {})
    return () => {
      isOver = true
      made?.remove()
      setLayer(null)
      setProgress(undefined)
    }
  }, [map, isWanted])

  // biome-ignore lint/correctness/useExhaustiveDependencies(readAt): models that are the same are shown again, so that one that did not arrive is requested again
  useEffect(() => layer?.show(models), [layer, models, readAt])
  return progress
}
