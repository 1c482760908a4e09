import { type Kysely, type RawBuilder, sql } from 'kysely'
import { BATCH_ROWS, type JsonArray, type LongPage, longPage } from '../../platform/database/bulk/long-page.ts'
import type { AnyTables } from '../../platform/database/database.ts'
import { namedLike, threeWords } from '../../platform/database/query/name-search.ts'
import { countedRows, totalOf } from '../../platform/database/row-counts.ts'
import { type Page, type PageQuery, pageByTime } from '../../platform/http/pages.ts'
import { foldName } from '../../platform/names.ts'
import { isoTimeOf } from '../../platform/records/columns.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import { orderOf, typeKeyOf } from './player-order.ts'
import type { Player, PlayerListing } from './schema.ts'
import { attributes, columns, type PlayersTable } from './store.ts'

type Tables = { players: PlayersTable }
/** For whom a list is: all of a player is shown to server keys, more than to others to the player itself. */
export type ListViewer = { seesAll: boolean; playerId: string | undefined }

/** The words indexed by 0008_players.sql. */
const names = {
  table: 'players',
  alias: 'players',
  text: sql.ref('name_key'),
  words: threeWords('name_key'),
} as const

/** When and how much each of some players has played, and its best score in a mini game. */
const scoresOf = (appId: string, typeKey: string | null, ids: RawBuilder<unknown>) => sql<PlayerScores>`
  select p.id,
         (select b.score from player_best b
           where b.app_id = ${appId} and b.type_key = ${typeKey} and b.player_id = p.id) as "bestScore",
         played.*
    from unnest(${ids}) p(id)
   cross join lateral (
         select api_moment(max(case when sp.scored_at is not null then sp.updated_at end)) as "lastPlayedAt",
                count(*)::integer as "sessionCount"
           from session_players sp
          where sp.app_id = ${appId} and sp.player_id = p.id) played`
type PlayerScores = Pick<Player, 'id' | 'bestScore' | 'lastPlayedAt' | 'sessionCount'>

export type PlayerListStore = ReturnType<typeof playerListStore>

/** Lists of the players of an app, in SQL. */
export function playerListStore(db: Kysely<Tables>, bulk: Kysely<AnyTables>, ownUrls: OwnUrls) {
  const calledLike = async (appId: string, search: string) =>
    namedLike(db, { ...names, appId }, await countedRows(db, 'players', appId), foldName(search))

  const withScores = async (appId: string, typeKey: string | null, players: Player[]): Promise<Player[]> => {
    const ids = sql`${players.map(({ id }) => id)}::uuid[]`
    const { rows } = await scoresOf(appId, typeKey, ids).execute(db)
    const scores = new Map(rows.map(({ id, ...found }) => [id, found]))
    return players.map((player) => ({ ...player, ...scores.get(player.id) }))
  }

  /** The same as `shownTo` makes of rows (routes.ts). */
  const jsonOf = (appId: string, typeKey: string | null | false, viewer: ListViewer) => (ids: RawBuilder<unknown>) => {
    const ofSome = sql.raw(attributes)
    const shownAttributes = viewer.seesAll
      ? ofSome
      : sql`case when players.id = ${viewer.playerId}::uuid then ${ofSome} end`
    return sql<JsonArray>`
      select json_agg((left(row_to_json(shown)::text, -1)
               || case when ${viewer.seesAll} and standing <> 'normal'
                       then ',"standing":' || to_json(standing) || ',"standingNote":' || coalesce(to_json(standing_note)::text, 'null')
                       else '' end
               || coalesce(',"attributes":' || (${shownAttributes})::text, '') || '}')::json order by place) as text
        from unnest(${ids}) with ordinality as wanted (id, place)
        join players on players.app_id = ${appId} and players.id = wanted.id
             ${typeKey === false ? sql`` : sql`left join (${scoresOf(appId, typeKey, ids)}) as scores on scores.id = players.id`}
       cross join lateral (
             select players.id, display_name as "displayName", user_id as "userId",
                    written_address(image_url, ${ownUrls.publicUrl()}) as "imageUrl",
                    ${isoTimeOf('created_at')} as "createdAt", ${isoTimeOf('updated_at')} as "updatedAt"
                    ${typeKey === false ? sql`` : sql`, "bestScore", "lastPlayedAt", "sessionCount"`}) as shown`
  }

  return {
    /** `search` matches the folded names. A long page arrives as JSON, for its viewer. */
    async page(
      appId: string,
      { limit, cursor, ...listing }: PageQuery & PlayerListing,
      viewer: ListViewer,
    ): Promise<Page<Player> | LongPage> {
      const { search, standing, sort, includeScores, miniGameTypeId } = listing
      const typeKey = typeKeyOf(miniGameTypeId)
      const order = orderOf(sort, typeKey, cursor)
      const named = search === undefined ? undefined : await calledLike(appId, search)
      const mayBeLong = limit > BATCH_ROWS && (await countedRows(db, 'players', appId)) > BATCH_ROWS
      const ofApp = db
        .selectFrom('players')
        .where('app_id', '=', appId)
        .$if(named !== undefined, (query) => query.where(named!))
        .$if(standing !== undefined, (query) => query.where('standing', '=', standing!))
        // The index of hidden and banned players.
        .$if(standing !== undefined && standing !== 'normal', (query) => query.where('standing', '<>', 'normal'))
      const listed = ofApp
        .select(order.cursorAt.as('cursorAt'))
        .$if(order.after !== undefined, (query) => query.where(order.after!))
        .orderBy(order.by)
        .limit(limit + 1)
      const counting = totalOf(db, { table: 'players', scope: appId }, { search, standing }, sql`(${ofApp}) as found`)
      if (mayBeLong && (await counting) > BATCH_ROWS) {
        const asked = { limit, total: await counting, keys: listed.select('id') }
        return longPage(db, bulk, { ...asked, jsonOf: jsonOf(appId, includeScores && typeKey, viewer) })
      }
      const [rows, total] = await Promise.all([listed.select(columns).execute(), counting])
      for (const row of rows) row.imageUrl = ownUrls.written(row.imageUrl)
      const page = pageByTime(rows, limit, total)
      return includeScores ? { ...page, rows: await withScores(appId, typeKey, page.rows) } : page
    },
  }
}
