import { badRequest, conflict, invalid, notFound } from '../../../platform/errors.ts'
import { isId } from '../../../platform/ids.ts'
import { beingMade } from '../periods/board-fill.ts'
import type { PeriodBoards } from '../periods/period-boards.ts'
import type { TimeZoneCheck } from '../periods/time-zones.ts'
import type { GameTypes } from '../types/service.ts'
import { defaultGame } from '../types/store.ts'
import type { NewSeason, Season, SeasonChange } from './schema.ts'
import {
  MAX_CONCURRENT,
  type SeasonRefusal,
  type SeasonStore,
  SHORTEST_NOTICE_SECONDS,
  type StoredSeason,
} from './store.ts'

type Deps = {
  store: SeasonStore
  types: Pick<GameTypes, 'choose'>
  periods: Pick<PeriodBoards, 'ready'>
  checkTimeZone: TimeZoneCheck
  newId: () => string
  /** How many seasons an app may have, ended ones included. */
  most: number
  tooMany: () => Error
}

/** Seasons: leaderboards of a period that stay as they are when it has ended. */
export function seasonService({ store, types, periods, checkTimeZone, newId, most, tooMany }: Deps) {
  /** @throws what a refusal means to the caller */
  function accepted(result: StoredSeason | SeasonRefusal): StoredSeason {
    if (result === 'full') throw tooMany()
    if (result === 'crowded')
      throw conflict(
        `A season can overlap with at most ${MAX_CONCURRENT - 1} others of its mini game type, because every score is written to each: end one first`,
      )
    if (result === 'ended') throw conflict('This season has ended: its end can no longer be changed')
    if (result === 'repeats')
      throw badRequest('The end of a season that repeats is fixed: also send repeat null to end the series')
    if (result === 'ends_too_soon')
      throw wrongEnd(`must be after the start and at least ${SHORTEST_NOTICE_SECONDS} seconds from now`)
    if (result === 'overlaps') throw wrongEnd('must not be after the start of the next season of the series')
    return result
  }

  async function find(appId: string, id: string): Promise<StoredSeason> {
    const season = isId(id) ? await store.get(appId, id) : undefined
    if (!season) throw notFound('Season')
    return season
  }

  return {
    /** @throws 404 */
    get: async (appId: string, id: string): Promise<Season> => shown(await find(appId, id)),

    /** A season whose leaderboard is made. @throws 404; 503 until then */
    async getMade(appId: string, id: string): Promise<Season> {
      const season = await find(appId, id)
      const typeKey = season.miniGameTypeId ?? defaultGame
      if (!(await periods.ready({ appId, typeKey }, { ...season, key: season.id }))) throw beingMade()
      return shown(season)
    },

    /** @throws 404 for an unknown type; 400 for two that disagree, or an end that is too early; 409 at a limit */
    async create(appId: string, season: NewSeason): Promise<Season> {
      const typeKey = (await types.choose(appId, season))?.id ?? defaultGame
      if (season.repeat) await checkTimeZone(season.repeat.timeZone, ['repeat', 'timeZone'])
      const inserted = await store.insert(appId, newId(), { ...season, typeKey }, most)
      if (inserted === 'ends_too_soon' && !season.endsAt) throw startsTooEarly()
      const created = accepted(inserted)
      // Longer than a request waits, it goes on by itself; the board is read from scores meanwhile.
      await periods.ready({ appId, typeKey }, { ...created, key: created.id }).catch(() => {})
      return shown(created)
    },

    /** @throws 404; 400 for an end that is too early; 409 once the season has ended */
    async change(appId: string, id: string, change: SeasonChange): Promise<Season> {
      const changed = isId(id) ? await store.change(appId, id, change) : undefined
      if (changed === undefined) throw notFound('Season')
      return shown(accepted(changed))
    },

    /** Deletes a season with its leaderboard. @throws 404 */
    async remove(appId: string, id: string): Promise<void> {
      if (!isId(id) || !(await store.remove(appId, id))) throw notFound('Season')
    },
  }
}
const shown = ({ isReady, ...season }: StoredSeason): Season => season

const wrongEnd = (message: string) => invalid([{ code: 'custom', message, path: ['endsAt'] }])

const startsTooEarly = () =>
  invalid([
    {
      code: 'custom',
      message: 'is too long ago: the first season of the series would have ended by now. Send a later start',
      path: ['startsAt'],
    },
  ])

export type SeasonService = ReturnType<typeof seasonService>
