import { CLASS_ENDS, classOf } from './latency.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * HOUR_MS

/** Maximum number of different causes per app and day. */
export const MAX_KINDS = 200
/** Stands for all further causes. */
export const OTHER = 'other'

/** Requests with one key in one hour. */
export type KeyHour = {
  appId: string
  keyId: string
  /** Start of the hour, in milliseconds since 1970. */
  hour: number
  calls: number
  refused: number
  limited: number
  failed: number
  minutes: number[]
  latencies: number[]
  lastAt: number
}
export type RefusalKind = { method: string; route: string; status: number; reason: string }
export type Refusals = RefusalKind & {
  appId: string
  /** Start of the day, in milliseconds since 1970. */
  day: number
  times: number
  lastAt: number
}
export type Tallied = { hours: KeyHour[]; refusals: Refusals[] }

type Call = { app: { id: string; keyId: string }; status: number; at: number; ms: number | undefined }

export type Tally = ReturnType<typeof usageTally>

/** Counts in memory until `take`: two map lookups and some additions per request. */
export function usageTally() {
  let hours = new Map<number, Map<string, KeyHour>>()
  let days = new Map<string, Map<string, Refusals>>()

  function keyHour({ id: appId, keyId }: Call['app'], at: number): KeyHour {
    const hour = at - (at % HOUR_MS)
    const keys = hours.get(hour) ?? new Map<string, KeyHour>()
    if (keys.size === 0) hours.set(hour, keys)
    let found = keys.get(keyId)
    if (!found) {
      const [minutes, latencies] = [Array(60).fill(0), Array(CLASS_ENDS.length + 1).fill(0)]
      found = { appId, keyId, hour, calls: 0, refused: 0, limited: 0, failed: 0, minutes, latencies, lastAt: at }
      keys.set(keyId, found)
    }
    return found
  }

  return {
    /** Counts a response. @param ms response time; undefined if it is not meaningful */
    add({ app, status, at, ms }: Call): void {
      const counts = keyHour(app, at)
      counts.calls++
      counts.lastAt = at
      counts.minutes[Math.floor((at - counts.hour) / MINUTE_MS)]!++
      if (status === 429) counts.limited++
      else if (status >= 500) counts.failed++
      else if (status >= 400) counts.refused++
      if (ms !== undefined && status !== 429) counts.latencies[classOf(ms)]!++
    },

    /** Counts a refusal by its cause. */
    refuse(appId: string, at: number, { method, route, status, reason }: RefusalKind): void {
      const day = at - (at % DAY_MS)
      const ofDay = `${day} ${appId}`
      const kinds = days.get(ofDay) ?? new Map<string, Refusals>()
      if (kinds.size === 0) days.set(ofDay, kinds)
      const kind = `${method} ${route} ${status} `
      const known = kinds.get(kind + reason)
      const counted = known || kinds.size < MAX_KINDS ? reason : OTHER
      const found = known ??
        kinds.get(kind + counted) ?? { appId, day, method, route, status, reason: counted, times: 0, lastAt: at }
      found.times++
      found.lastAt = at
      kinds.set(kind + counted, found)
    },

    /** Returns the counts since the last call; undefined if there are none. */
    take(): Tallied | undefined {
      if (hours.size === 0) return undefined
      const taken = {
        hours: [...hours.values()].flatMap((keys) => [...keys.values()]),
        refusals: [...days.values()].flatMap((kinds) => [...kinds.values()]),
      }
      hours = new Map()
      days = new Map()
      return taken
    },
  }
}
