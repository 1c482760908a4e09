import type { AskWeather, Weather } from './weather.ts'

type Deps = {
  /** By the altitude of the sun. */
  timeOfDay: (lat: number, long: number, at: Date) => string
  /** The nearest named place. */
  nearestPlace: (lat: number, long: number) => Promise<Place | null>
  /** Absent if no provider is configured. */
  askWeather: AskWeather | undefined
}
type Place = { name: string; country: string }
export type Moment = { lat: number | null; long: number | null; timestamp: string }

export type Surroundings = ReturnType<typeof scanEnrichment>

/** Values derived from the place and time of a scan. */
export function scanEnrichment({ timeOfDay, nearestPlace, askWeather }: Deps) {
  return {
    hasWeather: askWeather !== undefined,

    async of({ lat, long, timestamp }: Moment): Promise<{ location: string | null; timeOfDay: string | null }> {
      if (lat === null || long === null) return { location: null, timeOfDay: null }
      const place = await nearestPlace(lat, long)
      return {
        location: place && `${place.name}, ${place.country}`,
        timeOfDay: timeOfDay(lat, long, new Date(timestamp)),
      }
    },

    /** null without a place or a provider. */
    async weather({ lat, long, timestamp }: Moment, signal: AbortSignal): Promise<Weather> {
      if (lat === null || long === null || !askWeather) return { weather: null }
      return askWeather({ lat, long, timestamp }, signal)
    },
  }
}
