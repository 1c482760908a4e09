import type { Pool } from 'pg'
import type { Fix } from '../matching/fix.ts'
import type { Stay } from '../matching/movement.ts'
import type { Plausible } from '../matching/plausible.ts'

export type PlayerOfApp = { appId: string; playerId: string }

/** What is held of a player: a fix that is older than the app keeps it is not shown. */
export type Held = {
  /** 0 if there is no row. */
  version: number
  fix: Fix | null
  plausible: Plausible | null
  stays: Stay[]
  /** The version of the app's fences. */
  fences: number
}

export type PositionWrite = PlayerOfApp & {
  /** The version that was read. */
  version: number
  fix: Fix
  plausible: Plausible
  stays: Stay[]
  /** Webhook events. */
  events: { type: string; data: object }[]
}

const json = (values: unknown[]) => values.map((value) => JSON.stringify(value))

/** The last positions of players, in SQL. */
export function positionStore(pool: Pool) {
  return {
    /** In the order of the players. */
    async read(players: PlayerOfApp[]): Promise<Held[]> {
      const { rows } = await pool.query<Held>({
        name: 'positions_read',
        text: `
          select coalesce(y.version, 0)::float8 as version, coalesce(s.version, 0)::float8 as fences,
                 case when k.fresh then y.fix end as fix, case when k.fresh then y.plausible end as plausible,
                 case when k.fresh then y.stays else '[]' end as stays
            from unnest($1::uuid[], $2::uuid[]) with ordinality i(app, player, n)
            left join fence_settings s on s.app_id = i.app
            left join player_positions y on y.app_id = i.app and y.player_id = i.player
            cross join lateral (
              select y.seen_at > clock_timestamp() - make_interval(secs => coalesce(s.retain_seconds, 600)) as fresh) k
           order by i.n`,
        values: [players.map(({ appId }) => appId), players.map(({ playerId }) => playerId)],
      })
      return rows
    },

    /** Writes what follows on the versions that were read. @returns the places of those written, from 0 */
    async write(items: PositionWrite[]): Promise<Set<number>> {
      const { rows } = await pool.query<{ n: number }>({
        name: 'positions_written',
        text: 'select save_positions($1, $2, $3, $4, $5, $6, $7) as n',
        values: [
          items.map(({ appId }) => appId),
          items.map(({ playerId }) => playerId),
          items.map(({ version }) => version),
          json(items.map(({ fix }) => fix)),
          json(items.map(({ plausible }) => plausible)),
          json(items.map(({ stays }) => stays)),
          json(items.map(({ events }) => events)),
        ],
      })
      return new Set(rows.map(({ n }) => n - 1))
    },
  }
}
export type PositionStore = ReturnType<typeof positionStore>
