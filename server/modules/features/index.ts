import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Platform } from '../../platform/platform.ts'
import type { Zones } from '../zones/index.ts'
import { documents } from './documents/documents.ts'
import { extents } from './documents/extents.ts'
import { items } from './items.ts'
import { featureRoutes } from './routes.ts'
import { featureStore } from './store.ts'

type Deps = { zones: Pick<Zones, 'findTouching'> }

/** Zones, pins and ground control points for GIS programs (OGC API – Features). */
export function createFeatures({ addresses, reads }: Platform, { zones }: Deps) {
  const store = featureStore(reads.searches.kysely, addresses.publicUrl)
  const about = documents(() => `${addresses.publicUrl()}/ogc`, extents(store))
  const pages = items({ store, documents: about, findTouching: zones.findTouching })

  return {
    routes: (): FastifyPluginAsyncZod => async (app) => {
      await app.register(featureRoutes({ documents: about, items: pages }), { prefix: '/ogc' })
    },
  }
}
