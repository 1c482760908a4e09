import type { Clock } from '../../../platform/database/clock.ts'
import { HttpError } from '../../../platform/errors.ts'
import type { DailyBytes } from './daily-bytes-store.ts'

/** An incoming body. `announced` is its stated length, 0 if unknown. */
export type Arrival = { announced: number; received: number }

type Deps = {
  days: DailyBytes
  /** Free bytes on the disk for uploads. */
  freeSpace: () => Promise<number>
  /** Bytes of all uploads per day. */
  perDay: number
  /** Bytes of the disk that uploads leave free. */
  reserve: number
  clock: Clock
}

export type UploadBudget = ReturnType<typeof createUploadBudget>

/** For a body of unknown length, the budget is checked again each time this much has arrived. */
const LOOK_AGAIN_BYTES = 16 * 2 ** 20

/** The budget that all senders share: bytes per day, counted in the database, and free disk space. */
export function createUploadBudget({ days, freeSpace, perDay, reserve, clock }: Deps) {
  const arriving = new Set<Arrival>()
  const known = { day: '', bytes: 0 }

  const learn = (day: string, bytes: number) => {
    if (day > known.day) Object.assign(known, { day, bytes })
    else if (day === known.day) known.bytes = Math.max(known.bytes, bytes)
  }
  const sum = (of: (arrival: Arrival) => number) => [...arriving].reduce((all, one) => all + of(one), 0)
  const whole = ({ announced, received }: Arrival) => Math.max(announced, received)
  const missing = ({ announced, received }: Arrival) => Math.max(0, announced - received)

  /** @throws 507. Announced bytes count as received. */
  const assertFits = (bytes: number, free: number) => {
    const today = known.day === dayOf(clock.now()) ? known.bytes : 0
    if (today + sum(whole) + bytes > perDay)
      throw new HttpError(507, 'The daily upload limit of this service is reached. Try again after midnight UTC', {
        'retry-after': String(secondsToMidnight(clock.now())),
      })
    if (free - sum(missing) - bytes < reserve)
      throw new HttpError(
        507,
        'The disk of the service is nearly full: its operator must free space before it accepts this upload',
        { 'retry-after': '300' },
      )
  }

  const look = async () => {
    const day = dayOf(clock.now())
    const [bytes, free] = await Promise.all([days.bytesOf(day), freeSpace()])
    learn(day, bytes)
    return free
  }

  return {
    /** Reserves room for an incoming body. @throws 507 */
    async open(announced: number): Promise<Arrival> {
      assertFits(announced, await look())
      const arrival = { announced, received: 0 }
      arriving.add(arrival)
      return arrival
    },

    /** Counts a chunk. @returns whether to check the budget again (for a body of unknown length) */
    receive(arrival: Arrival, bytes: number): boolean {
      const before = arrival.received
      arrival.received += bytes
      if (arrival.received <= arrival.announced) return false
      return Math.floor(before / LOOK_AGAIN_BYTES) !== Math.floor(arrival.received / LOOK_AGAIN_BYTES)
    },

    /** @throws 507 once the bytes received so far exceed the daily budget */
    assertFitsToday: () => assertFits(0, Number.POSITIVE_INFINITY),
    assertStillFits: async () => assertFits(0, await look()),

    /** Counts the received bytes, with any outcome. */
    async close(arrival: Arrival): Promise<void> {
      const day = dayOf(clock.now())
      try {
        if (arrival.received > 0) learn(day, await days.add(day, arrival.received))
      } finally {
        arriving.delete(arrival)
      }
    },
  }
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const DAY_MS = 86_400_000
const secondsToMidnight = (ms: number) => Math.ceil((DAY_MS - (ms % DAY_MS)) / 1000)
