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

/** Finds out the weather of a scan whose place or time was changed. If it is changed again meanwhile, the answer is let go. */
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
