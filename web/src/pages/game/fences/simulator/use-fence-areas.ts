import type { App, Cairn, Fence } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import type { Feature, FeatureCollection, Geometry } from 'geojson'
import { placeFrom } from '../../../../map/geodesic.ts'

const CORNERS = 64

/** The areas of fences for a map. Those whose zone or pin the user may not read are left out. */
export function useFenceAreas(app: App, cairn: Cairn, fences: Fence[]): FeatureCollection | undefined {
  const { data } = useQuery({
    queryKey: ['fence-areas', app.id, fences.map(({ id, updatedAt }) => `${id} ${updatedAt}`).join()],
    queryFn: async (): Promise<FeatureCollection> => {
      const found = await Promise.all(fences.map((fence) => areaOf(cairn, fence).catch(() => null)))
      const features = found.flatMap((geometry, i): Feature[] =>
        geometry ? [{ type: 'Feature', properties: { name: fences[i]!.name }, geometry }] : [],
      )
      return { type: 'FeatureCollection', features }
    },
    staleTime: 60_000,
  })
  return data
}

async function areaOf(cairn: Cairn, { zoneId, pinId, radius }: Fence): Promise<Geometry | null> {
  if (zoneId !== null) return (await cairn.zones.get(zoneId)).boundary as Geometry | null
  const { latitude, longitude } = await cairn.pins.get(pinId!)
  if (latitude === null || longitude === null) return null
  const ring = Array.from({ length: CORNERS + 1 }, (_, i) => {
    const { lat, lon } = placeFrom({ lat: latitude, lon: longitude }, ((i % CORNERS) * 360) / CORNERS, radius!)
    return [lon, lat]
  })
  return { type: 'Polygon', coordinates: [ring] }
}
