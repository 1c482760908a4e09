import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { newFileId, newId } from '../../platform/ids.ts'
import type { LiveRecords } from '../../platform/live/live-records.ts'
import { recordFollower } from '../../platform/live/record-stream.ts'
import { allowsHost } from '../../platform/outbound/allowed-hosts.ts'
import { type FetchBounds, guardedFetch } from '../../platform/outbound/guarded-fetch.ts'
import { gridsFolder, type Platform } from '../../platform/platform.ts'
import type { Files } from '../files/index.ts'
import type { UploadBudget } from '../uploads/limits/upload-budget.ts'
import type { Zones } from '../zones/index.ts'
import { surveyAdminCommands } from './admin-commands.ts'
import { fetchJob } from './fetch.ts'
import { heightLookup } from './heights/height-lookup.ts'
import { importJob } from './import/import.ts'
import { importStore, type LockTags } from './import/import-store.ts'
import { createSurveyReaderPool } from './process/survey-reader.ts'
import { csvRoutes } from './routes.ts'
import { MAX_SURVEY_BYTES } from './schema.ts'
import { csvService } from './service.ts'
import { csvStore } from './store.ts'

type Deps = {
  zones: Pick<Zones, 'get' | 'owner'>
  /** The uploaded survey files. */
  files: Pick<Files, 'find' | 'maySee' | 'remove' | 'kept'>
  /** Free disk space for downloads. */
  room: UploadBudget
  lockTags: LockTags
}

/** Access to survey files of other hosts. */
const FETCH_BOUNDS: FetchBounds = { bytes: MAX_SURVEY_BYTES, answerMs: 15_000, idleMs: 15_000, totalMs: 300_000 }

export type Surveys = ReturnType<typeof createSurveys>

/** Survey files, and the import of their points. */
export function createSurveys(platform: Platform, { zones, files, room, lockTags }: Deps) {
  const { config, database, databaseDiskReserve, objects, ownUrls, quotas, jobs, jobDiskCheck, network } = platform
  const uploads = csvStore(database.kysely)
  const readers = createSurveyReaderPool({ gridFolder: gridsFolder(config) })
  const outside = guardedFetch({
    allows: (address) => allowsHost(config.CAIRN_IMPORT_HOSTS, address),
    network,
    bounds: FETCH_BOUNDS,
  })
  const service = csvService({
    store: uploads,
    findZone: zones.owner,
    objects,
    ownUrls,
    outside,
    files,
    jobs,
    readers,
    most: quotas.imports,
    newId,
  })
  const imports = {
    uploads,
    store: importStore(database.kysely, lockTags),
    findZone: zones.get,
    objects,
    readers,
    tagMetres: config.CAIRN_APRIL_TAG_METRES,
    mustHaveRoom: databaseDiskReserve.assertFree,
    waits: jobDiskCheck.isShortForRows,
  }
  const { bytes: maxBytes } = FETCH_BOUNDS
  const waits = () => jobDiskCheck.isShortForFiles(maxBytes)
  for (const kind of ['plain', 'byHeader'] as const) {
    jobs.define(fetchJob({ uploads, objects, outside, room, maxBytes, waits, jobs }, kind))
    jobs.define(importJob(imports, kind))
  }

  return {
    /** Converts a height above the sea to the ellipsoid. */
    bringHeight: heightLookup(readers),
    /** Survey operations of the command line. */
    operator: surveyAdminCommands({
      service,
      objects,
      findZone: zones.owner,
      keep: async ({ key, size, sha256 }, fileName, userId) => {
        const file = { id: newFileId(), key, fileName, mimeType: 'text/csv', size, sha256, userId }
        await files.kept.insert(database.kysely, file)
      },
    }),
    /** Stops the reader processes, after the jobs have ended. */
    close: readers.close,
    routes:
      (guards: Guards, live: LiveRecords): FastifyPluginAsyncZod =>
      async (app) => {
        const follow = recordFollower({ records: live, guards })
        await app.register(csvRoutes({ service, guards, follow }), { prefix: '/api' })
      },
  }
}
