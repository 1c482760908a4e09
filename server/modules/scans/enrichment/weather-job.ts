import type { JobDefinition } from '../../../platform/database/jobs/jobs.ts'
import type { ProcessingStore } from '../processing/processing-store.ts'
import type { Surroundings } from './enrichment.ts'

export const WEATHER_JOB = 'scan-weather'

type WeatherTask = { scanId: string; lat: number; long: number; timestamp: string }
type Deps = {
  store: Pick<ProcessingStore, 'tellWeather'>
  surroundings: Pick<Surroundings, 'weather'>
  waits: () => Promise<boolean>
}

/** The job that looks up the weather after the place or time of a scan changed. Drops the result if they changed again. */
export const weatherJob = ({ store, surroundings, waits }: Deps): JobDefinition<WeatherTask> => ({
  name: WEATHER_JOB,
  waits,
  expireInSeconds: 60,
  concurrency: 2,
  perGroup: 1,
  async run({ scanId, ...at }, signal) {
    await store.tellWeather(scanId, at, await surroundings.weather(at, signal))
  },
})
