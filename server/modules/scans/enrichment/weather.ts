import { z } from 'zod'

/** Limit for one request, from start to last byte. */
const BOUND_MS = 5000
/** Maximum size of a response: 24 hours with two values each. */
const MAX_BYTES = 256 * 1024
const DAY = 24 * 60 * 60_000
/** The forecast covers the last three months; older dates need the archive. */
const FORECAST_DAYS = 80
const FIRST_YEAR = 1940

const Answer = z.object({
  hourly: z.object({
    time: z.array(z.string()),
    weather_code: z.array(z.number().nullable()),
    temperature_2m: z.array(z.number().nullable()),
  }),
})

/** WMO code table 4677, as Open-Meteo uses it (https://open-meteo.com/en/docs). */
const WORDS: Record<number, string> = {
  0: 'clear sky',
  1: 'mainly clear',
  2: 'partly cloudy',
  3: 'overcast',
  45: 'fog',
  48: 'rime fog',
  51: 'light drizzle',
  53: 'drizzle',
  55: 'dense drizzle',
  56: 'light freezing drizzle',
  57: 'freezing drizzle',
  61: 'light rain',
  63: 'rain',
  65: 'heavy rain',
  66: 'light freezing rain',
  67: 'freezing rain',
  71: 'light snow',
  73: 'snow',
  75: 'heavy snow',
  77: 'snow grains',
  80: 'light showers',
  81: 'showers',
  82: 'violent showers',
  85: 'light snow showers',
  86: 'heavy snow showers',
  95: 'thunderstorm',
  96: 'thunderstorm with light hail',
  99: 'thunderstorm with hail',
}

export type Weather = { weather: string | null; note?: string }
export type AskWeather = (at: { lat: number; long: number; timestamp: string }, signal: AbortSignal) => Promise<Weather>

/**
 * Asks a provider with Open-Meteo's interface for the weather at a place and hour: `rain, 12 °C`. Sends only the day and
 * the position rounded to a hundredth of a degree (a kilometre). Never throws: on failure the weather is null, and a
 * note says why.
 * @param base the URL before `/v1/forecast` and, for older dates, `/v1/archive`
 */
export const weatherProvider =
  (base: string, now: () => number = Date.now): AskWeather =>
  async ({ lat, long, timestamp }, signal) => {
    const at = Date.parse(timestamp)
    if (at > now() + DAY) return { weather: null, note: 'The weather is not known: its time is in the future' }
    if (new Date(at).getUTCFullYear() < FIRST_YEAR)
      return { weather: null, note: `The weather is not known before ${FIRST_YEAR}` }
    const path = now() - at > FORECAST_DAYS * DAY ? 'archive' : 'forecast'
    const day = timestamp.slice(0, 10)
    const query = new URLSearchParams({
      latitude: lat.toFixed(2),
      longitude: long.toFixed(2),
      hourly: 'weather_code,temperature_2m',
      start_date: day,
      end_date: day,
      timezone: 'GMT',
    })
    try {
      const bound = AbortSignal.any([signal, AbortSignal.timeout(BOUND_MS)])
      const answer = await fetch(`${hostOf(base, path)}/v1/${path}?${query}`, { signal: bound, redirect: 'error' })
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      return { weather: inWords(Answer.parse(JSON.parse(await boundedText(answer))), at) }
    } catch {
      signal.throwIfAborted()
      return { weather: null, note: 'The weather is not known: the provider did not answer' }
    }
  }

/** Open-Meteo's public archive has a host of its own; self-hosted installations use one URL for both. */
const hostOf = (base: string, path: string) =>
  path === 'archive' ? base.replace(/^(https:\/\/(?:customer-)?)(api\.open-meteo\.com)$/, '$1archive-$2') : base

function inWords({ hourly }: z.infer<typeof Answer>, at: number): string | null {
  const hour = new Date(at).toISOString().slice(0, 13)
  const place = hourly.time.findIndex((time) => time.startsWith(hour))
  const [code, degrees] = [hourly.weather_code[place], hourly.temperature_2m[place]]
  const words = [WORDS[code ?? -1], degrees == null ? undefined : `${Math.round(degrees)} °C`].filter(Boolean)
  return words.length > 0 ? words.join(', ') : null
}

async function boundedText(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.length
    if (size > MAX_BYTES) throw new Error('too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
