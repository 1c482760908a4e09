import type * as api from '../generated/types.gen.ts'
import type { CallOptions, Connection } from '../http/connection.ts'
import { Pages } from '../http/pagination.ts'

type Asked = { bbox?: string; limit?: number; zoneId?: number; properties?: string }

/** A collection as GeoJSON features (OGC API – Features), oldest first, up to 10,000 per page. `bbox` is west,south,east,north in degrees; west > east crosses 180°. `properties` is a comma-separated list. `total` is null if counting would take long. */
export const listFeatures = (to: Connection, collection: 'pins' | 'gcps', query: Asked, call?: CallOptions) =>
  new Pages<api.Feature>(async (cursor) => {
    const url = `/ogc/collections/${collection}/items` as '/ogc/collections/pins/items'
    const asked = { limit: 10_000, ...query, ...(cursor ? { cursor } : {}) }
    const page = await to.get<api.ListPinsFeaturesData, api.FeaturePage>(url, { query: asked }, call)
    const next = page.links.find(({ rel }) => rel === 'next')
    return {
      items: page.features,
      total: page.numberMatched ?? null,
      next: next ? new URL(next.href, 'http://any').searchParams.get('cursor') : null,
    }
  })
