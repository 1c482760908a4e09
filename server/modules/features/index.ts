import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Exports } from '../exports/index.ts'
import type { Gcps } from '../gcps/index.ts'
import type { Pins } from '../pins/index.ts'
import type { Zones } from '../zones/index.ts'
import { positions } from './crs/positions.ts'
import { documents } from './documents/documents.ts'
import { extents } from './documents/extents.ts'
import { editRoutes } from './edit/edit-routes.ts'
import { createEdits } from './edit/edits.ts'
import { items } from './items.ts'
import { featureRoutes } from './routes.ts'
import { featureStore } from './store.ts'

type Deps = {
  zones: Pick<Zones, 'findTouching' | 'writes'>
  pins: Pick<Pins, 'writes'>
  gcps: Pick<Gcps, 'writes'>
  systems: Exports['systems']
}

/** Zones, pins and ground control points for GIS programs (OGC API – Features). */
export function createFeatures({ addresses, database, reads }: Platform, { zones, pins, gcps, systems }: Deps) {
  const store = featureStore(reads.searches.kysely, reads.bulk, addresses.publicUrl)
  const base = () => `${addresses.publicUrl()}/ogc`
  const about = documents(base, extents(store))
  const moves = positions(systems)
  const pages = items({ store, documents: about, findTouching: zones.findTouching, positions: moves })
  const edits = createEdits({ db: database.kysely, publicUrl: addresses.publicUrl, pins, gcps, zones })

  return {
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(featureRoutes({ documents: about, items: pages }), { prefix: '/ogc' })
        await app.register(editRoutes({ edits, items: pages, positions: moves, base, guards }), { prefix: '/ogc' })
      },
  }
}
