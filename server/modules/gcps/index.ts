import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Platform } from '../../platform/platform.ts'
import { readBbox } from '../features/query/bbox.ts'
import type { Files } from '../files/index.ts'
import type { Photos } from '../photos/index.ts'
import type { Pins } from '../pins/index.ts'
import type { Zones } from '../zones/index.ts'
import type { BringHeight } from './heights.ts'
import { listService } from './list-service.ts'
import { listStore } from './list-store.ts'
import { recordStore } from './read-store.ts'
import { gcpRoutes } from './routes.ts'
import { gcpService } from './service.ts'
import { gcpStore, lockTags } from './store.ts'
import { conflictService } from './tags/conflict-service.ts'
import { conflictStore } from './tags/conflict-store.ts'
import { tagService } from './tags/tag-service.ts'
import { tagStore } from './tags/tag-store.ts'

export type Gcps = ReturnType<typeof createGcps>
export { lockTags }

type Deps = {
  zones: Pick<Zones, 'owner' | 'insideAll'>
  pins: Pick<Pins, 'ofGcps' | 'jsonFields'>
  photos: Pick<Photos, 'ofGcps' | 'claim'>
  files: Pick<Files, 'arrive' | 'removeUnused'>
  /** Brings a height above the sea to the ellipsoid. */
  bringHeight: BringHeight
}

/** Ground control points, their AprilTags, and the tags that are in conflict. */
export function createGcps(
  { config, database, reads, ownUrls }: Platform,
  { zones, pins, photos, files, bringHeight }: Deps,
) {
  const tagMetres = config.CAIRN_APRIL_TAG_METRES
  const { insideAll } = zones
  const ofRecords = { photosOf: photos.ofGcps, ownUrls, insideAll }
  const records = recordStore(database.kysely, { pinsOf: pins.ofGcps.written, ...ofRecords })
  const shown = recordStore(reads.database.kysely, { pinsOf: pins.ofGcps.shown, ...ofRecords })
  const service = gcpService({
    store: gcpStore(database.kysely),
    records,
    findZone: zones.owner,
    tagMetres,
    arrive: files.arrive,
    ownUrls,
    claimPhotos: photos.claim,
    bringHeight,
    removeUnused: files.removeUnused,
  })
  const lists = listService({
    store: listStore(reads.database.kysely, reads.bulk, { ...ownUrls, pinJson: pins.jsonFields }),
    records: shown,
    photosOf: photos.ofGcps,
    insideAll,
  })
  const aprilTags = tagService({ bearers: tagStore(database.kysely), tagMetres })
  const conflicts = conflictService({
    store: conflictStore(reads.searches.kysely, tagMetres),
    records: shown,
    readBbox,
  })

  return {
    /** Changes of ground control points, for the operations of other modules. */
    writes: { create: service.create, change: service.update, remove: service.remove },
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(gcpRoutes({ service, lists, aprilTags, conflicts, guards }), { prefix: '/api' })
      },
  }
}
