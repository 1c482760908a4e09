import type { FenceEvent, PositionFixInput, PositionsAnswer } from '../generated/types.gen.ts'
import { CairnError } from '../http/error.ts'

/** The part of the browser's Geolocation that is used. */
export type DeviceLocation = {
  watchPosition: (
    onPosition: (position: {
      coords: { latitude: number; longitude: number; accuracy: number; altitude: number | null }
      timestamp: number
    }) => void,
    onError: (error: unknown) => void,
    options: { enableHighAccuracy: boolean; maximumAge: number },
  ) => number
  clearWatch: (watch: number) => void
}

export type WatchOptions = {
  /** Called for each event, in the order in which they are reported. */
  onEvent?: (event: FenceEvent) => void
  /** Called for a position that cannot be had (the browser's GeolocationPositionError), or a report that fails. */
  onError?: (error: unknown) => void
  /** How often positions are reported, in milliseconds. Defaults to 10,000. */
  every?: number
  /** Keeps positions that are not reported yet, such as `localStorage`, over a reload of the page. */
  storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** The name in `storage`. If several players use a device, each needs its own, such as its ID. Defaults to `cairn.positions`. */
  storageKey?: string
  /** Defaults to that of the browser. */
  geolocation?: DeviceLocation
}

export type PositionWatch = {
  /** Reports what has been collected now. */
  report: () => Promise<void>
  /** Stops watching. Positions that are not reported yet stay in `storage`. */
  stop: () => void
}

/** What one request takes. */
const MOST = 60
/** The service ignores older positions. */
const TOO_OLD_MS = 5 * 60_000

type Report = (fixes: PositionFixInput[]) => Promise<PositionsAnswer>

/**
 * Watches the position of the device and reports it in batches. While the service cannot be reached, positions of the
 * last five minutes are kept and sent later.
 */
export function watchPositions(report: Report, options: WatchOptions = {}): PositionWatch {
  const { onEvent, onError, every = 10_000, storage, storageKey = 'cairn.positions' } = options
  const geolocation = options.geolocation ?? (navigator as unknown as { geolocation: DeviceLocation }).geolocation
  let waiting: PositionFixInput[] = stored(storage, storageKey)
  let sending: Promise<void> | undefined

  const keep = () => {
    const oldest = Date.now() - TOO_OLD_MS
    waiting = waiting.filter(({ at }) => Date.parse(at) > oldest)
    if (waiting.length > 0) storage?.setItem(storageKey, JSON.stringify(waiting))
    else storage?.removeItem(storageKey)
  }

  async function send(): Promise<void> {
    keep()
    while (waiting.length > 0) {
      const fixes = waiting.slice(0, MOST)
      try {
        const { events, ignored } = await report(fixes)
        const unread = new Set(ignored.flatMap(({ index, reason }) => (reason === 'too_many_events' ? [index] : [])))
        drop(fixes.filter((_, i) => !unread.has(i)))
        for (const event of events) onEvent?.(event)
      } catch (error) {
        onError?.(error)
        if (!(error instanceof CairnError && error.status === 400)) return
        drop(refusedOf(fixes, error))
      }
    }
  }

  const drop = (fixes: PositionFixInput[]) => {
    waiting = waiting.filter((fix) => !fixes.includes(fix))
    keep()
  }

  const reportNow = (): Promise<void> => {
    sending ??= send().finally(() => {
      sending = undefined
    })
    return sending
  }

  const watch = geolocation.watchPosition(
    ({ coords, timestamp }) => {
      const { latitude, longitude, accuracy, altitude } = coords
      waiting.push({ lat: latitude, lon: longitude, accuracy, altitude, at: new Date(timestamp).toISOString() })
      keep()
    },
    (error) => onError?.(error),
    // Beside another watch, Chromium tells a new one nothing until the device moves, unless a known position will do.
    { enableHighAccuracy: true, maximumAge: TOO_OLD_MS },
  )
  const timer = setInterval(() => void reportNow(), every)

  return {
    report: reportNow,
    stop() {
      geolocation.clearWatch(watch)
      clearInterval(timer)
    },
  }
}

/** The positions that the service refuses, which would be refused again: those that it names, or all. */
function refusedOf(fixes: PositionFixInput[], { issues }: CairnError): PositionFixInput[] {
  const named = new Set(issues.flatMap(({ path: [list, index] }) => (list === 'fixes' ? [index] : [])))
  const refused = fixes.filter((_, i) => named.has(i))
  return refused.length > 0 ? refused : fixes
}

function stored(storage: WatchOptions['storage'], key: string): PositionFixInput[] {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((fix) => typeof fix?.at === 'string') : []
  } catch {
    return []
  }
}
