import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { exportRoutes } from '../modules/exports/routes.ts'
import { exportStore } from '../modules/exports/store.ts'
import { documents } from '../modules/features/documents.ts'
import { extents } from '../modules/features/extents.ts'
import { items } from '../modules/features/items.ts'
import { featureRoutes } from '../modules/features/routes.ts'
import { featureStore } from '../modules/features/store.ts'
import { bearerStore } from '../modules/gcps/bearer-store.ts'
import { listService } from '../modules/gcps/list-service.ts'
import { recordStore } from '../modules/gcps/record-store.ts'
import { gcpRoutes } from '../modules/gcps/routes.ts'
import { gcpService } from '../modules/gcps/service.ts'
import { gcpStore, lockTags } from '../modules/gcps/store.ts'
import { tagService } from '../modules/gcps/tag-service.ts'
import { pinSearch } from '../modules/pins/pin-search.ts'
import { pinRoutes } from '../modules/pins/routes.ts'
import { pinService } from '../modules/pins/service.ts'
import { pinStore } from '../modules/pins/store.ts'
import { fetchJob } from '../modules/surveys/fetch.ts'
import { importJob } from '../modules/surveys/import.ts'
import { importStore } from '../modules/surveys/import-store.ts'
import { csvRoutes } from '../modules/surveys/routes.ts'
import { csvService } from '../modules/surveys/service.ts'
import { csvStore } from '../modules/surveys/store.ts'
import { createSurveyReaders } from '../modules/surveys/survey-reader.ts'
import { removalStore } from '../modules/zones/removal-store.ts'
import { zoneRoutes } from '../modules/zones/routes.ts'
import { zoneService } from '../modules/zones/service.ts'
import { zoneStore } from '../modules/zones/store.ts'
import type { Guards } from '../platform/credentials/guards.ts'
import type { UploadRoom } from '../platform/http/upload-room.ts'
import { newId } from '../platform/ids.ts'
import { allowsHost } from '../platform/outbound/allowed-hosts.ts'
import { type FetchBounds, guardedFetch } from '../platform/outbound/guarded-fetch.ts'
import type { Platform } from '../platform/parts.ts'

type Needs = {
  /** The uploaded files that surveys are read from, and photos are made of. */
  files: Parameters<typeof csvService>[0]['files'] & { arrive: Parameters<typeof gcpService>[0]['arrive'] }
  photos: {
    ofGcps: Parameters<typeof recordStore>[1]['photosOf']
    claim: Parameters<typeof gcpService>[0]['claimPhotos']
  }
  /** Where there is room for what comes in. */
  room: UploadRoom
  /** Removes the objects that nothing points to any more. */
  removeUnused: () => Promise<void>
}

/** For survey files of other hosts. */
const FETCH_BOUNDS: FetchBounds = { bytes: 50 * 2 ** 20, answerMs: 15_000, idleMs: 15_000, totalMs: 300_000 }

/** Zones, pins, ground control points and the survey files they come from. */
export function placesArea(
  { config, addresses, database, searches, objects, jobs, network }: Platform,
  { files, photos, room, removeUnused }: Needs,
) {
  const zones = zoneStore(database.kysely)
  const pinsInSql = pinStore(database.kysely)
  const search = pinSearch(database.pool, searches.pool)
  const pins = pinService({ store: pinsInSql, findZone: zones.owner, search, removeUnused })

  const tagMetres = config.CAIRN_APRIL_TAG_METRES
  const uploads = csvStore(database.kysely)
  const zonesOfAll = zoneService({
    store: zones,
    removals: removalStore(database.kysely),
    removeUnused,
  })
  const { insideOf } = zonesOfAll
  const records = recordStore(database.kysely, { pinsOf: pinsInSql.ofGcps, photosOf: photos.ofGcps, insideOf })
  const gcps = gcpService({
    store: gcpStore(database.kysely),
    records,
    findZone: zones.owner,
    tagMetres,
    arrive: files.arrive,
    claimPhotos: photos.claim,
    removeUnused,
  })
  const lists = listService({ records, insideOf })
  const aprilTags = tagService({ bearers: bearerStore(database.kysely), tagMetres })
  const outside = guardedFetch({
    allows: (address) => allowsHost(config.CAIRN_IMPORT_HOSTS, address),
    network,
    bounds: FETCH_BOUNDS,
  })
  const surveys = csvService({ store: uploads, findZone: zones.get, objects, outside, files, jobs, newId })
  jobs.define(fetchJob({ uploads, objects, outside, room, maxBytes: FETCH_BOUNDS.bytes, jobs }))
  const readers = createSurveyReaders()
  const imports = importStore(database.kysely, lockTags)
  jobs.define(importJob({ uploads, store: imports, findZone: zones.get, objects, readers, tagMetres }))

  const layers = featureStore(searches.kysely)
  const forGis = documents(() => `${addresses.publicUrl()}/ogc`, extents(layers))
  const features = items({ store: layers, documents: forGis })

  return {
    /** Mounted under /api. */
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(zoneRoutes({ service: zonesOfAll, guards }))
        await app.register(pinRoutes({ service: pins, guards }))
        await app.register(gcpRoutes({ service: gcps, lists, aprilTags, guards }))
        await app.register(exportRoutes({ store: exportStore(database.kysely), findZone: zones.get }))
        await app.register(csvRoutes({ service: surveys, guards }))
      },
    /** Mounted under /ogc. */
    gisRoutes: featureRoutes({ documents: forGis, items: features }),
    /** Ends what reads survey files; once no job is running. */
    close: readers.close,
  }
}
