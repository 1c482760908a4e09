import type { Clock } from '../../../platform/database/clock.ts'
import { HttpError } from '../../../platform/errors.ts'
import type { DailyBytes } from './daily-bytes-store.ts'

/** One body on its way in. `announced` is what its sender said of its length; 0 when it said nothing. */
export type Arrival = { announced: number; received: number }

type Deps = {
  days: DailyBytes
  /** Bytes left on the disk that uploads go to. */
  freeSpace: () => Promise<number>
  /** Bytes of all uploads in a day. */
  perDay: number
  /** Bytes of the disk that uploads leave alone. */
  reserve: number
  clock: Clock
}

export type UploadBudget = ReturnType<typeof createUploadBudget>

/** A body without a length looks again each time so much of it came. */
const LOOK_AGAIN_BYTES = 16 * 2 ** 20

/** Whether there is room for what all senders together send: bytes of a day, kept in the database, and bytes of the disk. */
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

  /** @throws 507. What is on its way counts as if it were here. */
  const assertFits = (bytes: number, free: number) => {
    const today = known.day === dayOf(clock.now()) ? known.bytes : 0
    if (today + sum(whole) + bytes > perDay)
      throw new HttpError(507, 'The service takes no more uploads today: it has taken what its operator allows a day', {
        'retry-after': String(secondsToMidnight(clock.now())),
      })
    if (free - sum(missing) - bytes < reserve)
      throw new HttpError(
        507,
        'The disk of the service is nearly full: its operator must make room before it takes this',
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
    /** Makes room for a body that is about to come. @throws 507 */
    async open(announced: number): Promise<Arrival> {
      assertFits(announced, await look())
      const arrival = { announced, received: 0 }
      arriving.add(arrival)
      return arrival
    },

    /** Counts a piece of it. @returns whether it is time to look again (a body whose length nobody knew) */
    receive(arrival: Arrival, bytes: number): boolean {
      const before = arrival.received
      arrival.received += bytes
      if (arrival.received <= arrival.announced) return false
      return Math.floor(before / LOOK_AGAIN_BYTES) !== Math.floor(arrival.received / LOOK_AGAIN_BYTES)
    },

    /** @throws 507 once what came by now does not fit */
    assertFitsToday: () => assertFits(0, Number.POSITIVE_INFINITY),
    assertStillFits: async () => assertFits(0, await look()),

    /** What came of it counts from here on, whatever became of it. */
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
