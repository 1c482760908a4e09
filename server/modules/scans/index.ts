import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { newId } from '../../platform/ids.ts'
import type { LiveRecords } from '../../platform/live/live-records.ts'
import { recordFollower } from '../../platform/live/record-stream.ts'
import { gridsFolder, type Platform } from '../../platform/platform.ts'
import type { Files } from '../files/index.ts'
import { newScanRoutes } from './create-routes.ts'
import { timeOfDay } from './enrichment/daylight.ts'
import { scanEnrichment } from './enrichment/enrichment.ts'
import { weatherProvider } from './enrichment/weather.ts'
import { weatherJob } from './enrichment/weather-job.ts'
import { nearestPlace } from './gazetteer.ts'
import { scanPresenters } from './presenters.ts'
import { SCAN_JOB, scanJob } from './processing/processing.ts'
import { processingStore } from './processing/processing-store.ts'
import { createScanInspector } from './processing/scan-inspector.ts'
import { scanRoutes } from './routes.ts'
import { scanService } from './service.ts'
import { scanStore } from './store.ts'

type Deps = { files: Pick<Files, 'ofScans' | 'arrive' | 'removeUnused'> }

export type Scans = ReturnType<typeof createScans>

/** Scans: uploaded captures, and the metadata read from their files. */
export function createScans({ config, database, objects, jobs, jobDiskCheck: room, log }: Platform, { files }: Deps) {
  const { CAIRN_WEATHER_URL: weather } = config
  const store = scanStore(database.kysely)
  const processing = processingStore(database.kysely)
  const inspector = createScanInspector({ gridFolder: gridsFolder(config) })
  const surroundings = scanEnrichment({
    timeOfDay,
    nearestPlace: (lat, long) => nearestPlace(lat, long),
    askWeather: weather === undefined ? undefined : weatherProvider(weather),
  })
  const answers = scanPresenters({ ...files.ofScans, isHeld: () => jobs.isHeld(SCAN_JOB) })
  const service = scanService({
    store,
    answers,
    surroundings,
    files: { ...files.ofScans, arrive: files.arrive },
    jobs,
    newId,
    removeUnused: files.removeUnused,
  })
  const { recorded, requestUsdz } = files.ofScans
  jobs.define(
    scanJob({
      scans: store,
      store: processing,
      objects,
      recorded,
      inspector,
      surroundings,
      answers,
      requestUsdz,
      jobs,
      room,
      log,
    }),
  )
  jobs.define(weatherJob({ store: processing, surroundings, waits: room.isShortForRows }))

  return {
    routes:
      (guards: Guards, live: LiveRecords): FastifyPluginAsyncZod =>
      async (app) => {
        const prefix = '/api/v1'
        await app.register(scanRoutes({ service, guards, follow: recordFollower({ records: live, guards }) }), {
          prefix,
        })
        await app.register(newScanRoutes({ service, guards, maxBytes: files.ofScans.maxBytes }), { prefix })
      },
    /** Stops the inspector processes, after the jobs have ended. */
    close: inspector.close,
  }
}
