import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { scanAnswers } from '../modules/scans/answers.ts'
import { timeOfDay } from '../modules/scans/daylight.ts'
import { nearestPlace } from '../modules/scans/gazetteer.ts'
import { newScanRoutes } from '../modules/scans/new-scan-routes.ts'
import { SCAN_JOB, scanJob } from '../modules/scans/processing.ts'
import { processingStore } from '../modules/scans/processing-store.ts'
import { scanRoutes } from '../modules/scans/routes.ts'
import { createScanInspector } from '../modules/scans/scan-inspector.ts'
import { scanService } from '../modules/scans/service.ts'
import { scanStore } from '../modules/scans/store.ts'
import { scanSurroundings } from '../modules/scans/surroundings.ts'
import { weatherProvider } from '../modules/scans/weather.ts'
import { weatherJob } from '../modules/scans/weather-job.ts'
import type { Guards } from '../platform/credentials/guards.ts'
import { newId } from '../platform/ids.ts'
import { recordFollower } from '../platform/live/follow.ts'
import type { LiveRecords } from '../platform/live/records.ts'
import { publishEvent } from '../platform/outbox.ts'
import { gridsFolder, type Platform } from '../platform/parts.ts'

type Files = Omit<Parameters<typeof scanService>[0]['files'], 'arrive'> &
  Omit<Parameters<typeof scanAnswers>[0], 'isHeld'> &
  Pick<Parameters<typeof scanJob>[0], 'requestUsdz' | 'recorded'> & { maxBytes: number }

type Needs = {
  files: {
    ofScans: Files
    arrive: Parameters<typeof scanService>[0]['files']['arrive']
    removeUnused: () => Promise<void>
  }
}

/** Scans: captured things, and what is found in their files. */
export function scansArea({ config, database, objects, jobs, workRoom: room, log }: Platform, { files }: Needs) {
  const { CAIRN_WEATHER_URL: weather } = config
  const store = scanStore(database.kysely)
  const processing = processingStore(database.kysely)
  const inspector = createScanInspector({ gridFolder: gridsFolder(config) })
  const surroundings = scanSurroundings({
    timeOfDay,
    nearestPlace: (lat, long) => nearestPlace(lat, long),
    askWeather: weather === undefined ? undefined : weatherProvider(weather),
  })
  const answers = scanAnswers({ ...files.ofScans, isHeld: () => jobs.isHeld(SCAN_JOB) })
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
      publish: publishEvent,
      jobs,
      room,
      log,
    }),
  )
  jobs.define(weatherJob({ store: processing, surroundings, waits: room.isShortForRows }))

  return {
    /** Mounted under /api/v1. */
    routes:
      (guards: Guards, live: LiveRecords): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(scanRoutes({ service, guards, follow: recordFollower({ records: live, guards }) }))
        await app.register(newScanRoutes({ service, guards, maxBytes: files.ofScans.maxBytes }))
      },
    /** Ends what looks into files; once no job is running. */
    close: inspector.close,
  }
}
