import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { createExportWriters } from '../modules/exports/export-writers.ts'
import { exportRoutes } from '../modules/exports/routes.ts'
import { exportService } from '../modules/exports/service.ts'
import { exportStore } from '../modules/exports/store.ts'
import { readBbox } from '../modules/features/box.ts'
import { documents } from '../modules/features/documents.ts'
import { extents } from '../modules/features/extents.ts'
import { items } from '../modules/features/items.ts'
import { featureRoutes } from '../modules/features/routes.ts'
import { featureStore } from '../modules/features/store.ts'
import type { NewFile } from '../modules/files/schema.ts'
import { bearerStore } from '../modules/gcps/bearer-store.ts'
import { conflictService } from '../modules/gcps/conflict-service.ts'
import { conflictStore } from '../modules/gcps/conflict-store.ts'
import { listService } from '../modules/gcps/list-service.ts'
import { recordStore } from '../modules/gcps/record-store.ts'
import { gcpRoutes } from '../modules/gcps/routes.ts'
import { gcpService } from '../modules/gcps/service.ts'
import { gcpStore, lockTags } from '../modules/gcps/store.ts'
import { tagService } from '../modules/gcps/tag-service.ts'
import { pinRoutes } from '../modules/pins/routes.ts'
import { pinService } from '../modules/pins/service.ts'
import { pinStore } from '../modules/pins/store.ts'
import { fetchJob } from '../modules/surveys/fetch.ts'
import { heightLookup } from '../modules/surveys/height-lookup.ts'
import { importJob } from '../modules/surveys/import.ts'
import { importStore } from '../modules/surveys/import-store.ts'
import { surveyOperator } from '../modules/surveys/operator.ts'
import { csvRoutes } from '../modules/surveys/routes.ts'
import { MOST_SURVEY_BYTES } from '../modules/surveys/schema.ts'
import { csvService } from '../modules/surveys/service.ts'
import { csvStore } from '../modules/surveys/store.ts'
import { createSurveyReaders } from '../modules/surveys/survey-reader.ts'
import { createOutlines } from '../modules/zones/outlines.ts'
import { removalStore } from '../modules/zones/removal-store.ts'
import { zoneRoutes } from '../modules/zones/routes.ts'
import { zoneService } from '../modules/zones/service.ts'
import { zoneStore } from '../modules/zones/store.ts'
import type { Guards } from '../platform/credentials/guards.ts'
import type { UploadRoom } from '../platform/http/upload-room.ts'
import { newFileId, newId } from '../platform/ids.ts'
import { recordFollower } from '../platform/live/follow.ts'
import type { LiveRecords } from '../platform/live/records.ts'
import { allowsHost } from '../platform/outbound/allowed-hosts.ts'
import { type FetchBounds, guardedFetch } from '../platform/outbound/guarded-fetch.ts'
import { gridsFolder, type Platform } from '../platform/parts.ts'
import { IMPORT, placeIndexArea } from './place-index.ts'

type Needs = {
  /** Makes a record of a stored file. */
  insertFile: (file: NewFile) => Promise<unknown>
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
const FETCH_BOUNDS: FetchBounds = { bytes: MOST_SURVEY_BYTES, answerMs: 15_000, idleMs: 15_000, totalMs: 300_000 }

/** Zones, pins, ground control points and the survey files they come from. */
export function placesArea(platform: Platform, { files, photos, room, removeUnused, insertFile }: Needs) {
  const { config, addresses, database, databaseRoom, reads, objects, ownFiles, quotas, jobs, workRoom, network } =
    platform
  const zones = zoneStore(database.kysely)
  const pinsInSql = pinStore(database.kysely)
  const placeIndex = placeIndexArea(platform)
  const pins = pinService({
    store: pinsInSql,
    findZone: zones.owner,
    ownFiles,
    removeUnused,
  })

  const tagMetres = config.CAIRN_APRIL_TAG_METRES
  const uploads = csvStore(database.kysely)
  const outlines = createOutlines({ load: zones.outlines })
  const zonesOfAll = zoneService({
    store: zones,
    outlines,
    removals: removalStore(database.kysely),
    removeUnused,
    quotas,
  })
  const { insideOf } = zonesOfAll
  const records = recordStore(database.kysely, {
    pinsOf: pinsInSql.ofGcps,
    photosOf: photos.ofGcps,
    ownFiles,
    insideOf,
  })
  const readers = createSurveyReaders({ gridFolder: gridsFolder(config) })
  const gcps = gcpService({
    store: gcpStore(database.kysely),
    records,
    findZone: zones.owner,
    tagMetres,
    arrive: files.arrive,
    ownFiles,
    claimPhotos: photos.claim,
    bringHeight: heightLookup(readers),
    removeUnused,
  })
  const shown = recordStore(reads.database.kysely, {
    pinsOf: pinStore(reads.database.kysely).ofGcps,
    photosOf: photos.ofGcps,
    ownFiles,
    insideOf,
  })
  const lists = listService({ records: shown, insideOf })
  const aprilTags = tagService({ bearers: bearerStore(database.kysely), tagMetres })
  const conflicts = conflictService({
    store: conflictStore(reads.searches.kysely, tagMetres),
    records: shown,
    readBbox,
  })
  const outside = guardedFetch({
    allows: (address) => allowsHost(config.CAIRN_IMPORT_HOSTS, address),
    network,
    bounds: FETCH_BOUNDS,
  })
  const surveys = csvService({
    store: uploads,
    findZone: zones.owner,
    objects,
    ownFiles,
    outside,
    files,
    jobs,
    readers,
    most: quotas.imports,
    newId,
  })
  const imports = importStore(database.kysely, lockTags)
  const { bytes: maxBytes } = FETCH_BOUNDS
  for (const kind of ['plain', 'byHeader'] as const) {
    const waits = () => workRoom.isShortForFiles(maxBytes)
    jobs.define(fetchJob({ uploads, objects, outside, room, maxBytes, waits, jobs }, kind))
    const ofImports = { uploads, store: imports, findZone: zones.get, objects, readers, tagMetres }
    jobs.define(importJob({ ...ofImports, mustHaveRoom: databaseRoom.mustHave, waits: workRoom.isShortForRows }, kind))
  }

  const writers = createExportWriters({ gridFolder: gridsFolder(config) })
  const exports = exportService({ store: exportStore(reads.database.kysely, ownFiles), findZone: zones.owner, writers })
  const operator = {
    imports: surveyOperator({
      service: surveys,
      objects,
      findZone: zones.owner,
      keep: async ({ key, size, sha256 }, fileName, userId) => {
        await insertFile({ id: newFileId(), key, fileName, mimeType: 'text/csv', size, sha256, userId })
      },
    }),
    /** A zone's points as a file. @see ExportService */
    exportZone: exports.open,
  }

  const layers = featureStore(reads.searches.kysely, addresses.publicUrl)
  const forGis = documents(() => `${addresses.publicUrl()}/ogc`, extents(layers))
  const features = items({ store: layers, documents: forGis, findTouching: outlines.touching })

  return {
    /** Mounted under /api. */
    routes:
      (guards: Guards, live: LiveRecords): FastifyPluginAsyncZod =>
      async (app) => {
        placeIndex.serve(app)
        placeIndex.answerWhenSeen(app)
        await app.register(zoneRoutes({ service: zonesOfAll, guards }))
        await app.register(pinRoutes({ service: pins, around: placeIndex.around, guards }))
        await app.register(gcpRoutes({ service: gcps, lists, aprilTags, conflicts, guards }))
        await app.register(exportRoutes({ service: exports, guards }))
        await app.register(csvRoutes({ service: surveys, guards, follow: recordFollower({ records: live, guards }) }))
      },
    /** Mounted under /ogc. */
    gisRoutes: featureRoutes({ documents: forGis, items: features }),
    /** What is exported is read whole, after an import for example, and shows all of it. */
    freshRoutes: ['/api/gcp/zone/:zoneId/export'],
    /** Whoever reads here how far an import is looks for its points next. */
    tellingRoutes: [IMPORT],
    /** For other routes that write pins. */
    answerWhenSeen: placeIndex.answerWhenSeen,
    pinIndex: placeIndex.index,
    checkPins: placeIndex.check,
    /** What the command line does with survey points. */
    operator,
    /** Ends what reads survey files and writes exports; once no job is running. */
    async close() {
      await Promise.all([readers.close(), writers.close()])
    },
  }
}
