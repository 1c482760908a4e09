import type { AppUser } from '../../../platform/credentials/callers.ts'
import type { AppActivity } from './activity-schema.ts'
import type { ActiveDay, ActivityStore } from './activity-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SHOWN_DAYS = 14
const NO_TYPE = '00000000-0000-0000-0000-000000000000'

export type ActivityService = ReturnType<typeof activityService>

type Deps = {
  store: ActivityStore
  /** Writes what this process has counted to the database. */
  write: () => Promise<void>
  /** @throws 403, 404 if the user cannot read the app's usage */
  assertReader: (appId: string, user: AppUser) => Promise<void>
}

/** What happens in an app. */
export function activityService({ store, write, assertReader }: Deps) {
  return {
    /**
     * Today in an app. With a million players it costs what it costs with ten: players come from 15 rows, boards from at
     * most 24 an hour and type, and everything else is counted along an index up to 10,000. @throws 403, 404
     */
    async ofApp(appId: string, user: AppUser): Promise<AppActivity> {
      await assertReader(appId, user)
      await write()
      const now = Date.now()
      const hours = Array.from({ length: 24 }, (_, n) => new Date(startOfHour(now) - (23 - n) * HOUR_MS).toISOString())
      const [days, boards, { open, paused, failing, disabled, ...held }, fences] = await Promise.all([
        store.days(appId, dayOf(now, SHOWN_DAYS - 1)),
        store.boards(appId, hours[0]!),
        store.counts(appId),
        store.fences(appId),
      ])
      return {
        at: new Date(now).toISOString(),
        players: playersOf(days, now),
        sessions: { running: Math.max(0, open - paused), paused },
        boards: boards.map(({ typeKey, name, writes, hours: written }) => ({
          miniGameTypeId: typeKey === NO_TYPE ? null : typeKey,
          miniGameTypeName: name,
          writes,
          hours: hours.map((hour) => written.find((one) => one.hour === hour)?.writes ?? 0),
        })),
        held: { scores: held.heldScores, checkIns: held.heldCheckIns, since: held.heldSince },
        webhooks: { failing, disabled },
        fences,
      }
    },
  }
}

const startOfHour = (at: number) => at - (at % HOUR_MS)
/** The date of a moment, so many days before. */
const dayOf = (at: number, before = 0) => new Date(at - before * DAY_MS).toISOString().slice(0, 10)

/** Days without players have no row; before the first row nothing is known. */
function playersOf(days: ActiveDay[], now: number): AppActivity['players'] {
  const known = new Map(days.map(({ day, players }) => [day, players]))
  const on = (day: string) => Math.max(0, ...(known.get(day) ?? []))
  const lastWeek = dayOf(now, 7)
  const isKnown = days.length > 0 && days[0]!.day <= lastWeek
  const byNow = (known.get(lastWeek) ?? []).slice(0, new Date(now).getUTCHours() + 1)
  return {
    today: on(dayOf(now)),
    lastWeek: isKnown ? on(lastWeek) : null,
    lastWeekByNow: isKnown ? Math.max(0, ...byNow) : null,
    days: Array.from({ length: SHOWN_DAYS }, (_, n) => dayOf(now, SHOWN_DAYS - 1 - n)).map((day) => ({
      day,
      players: on(day),
    })),
  }
}
