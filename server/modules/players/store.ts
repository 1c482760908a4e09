import { type Kysely, sql } from 'kysely'
import { batchLoader } from '../../platform/concurrency/batch-loader.ts'
import type { Database } from '../../platform/database/database.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import { foldName } from '../../platform/names.ts'
import { type OwnUrls, pathOf } from '../../platform/storage/own-urls.ts'
import type { KeptPlayers } from './kept-players.ts'
import type { Player, PlayerAttributes, PlayerChange, Standing } from './schema.ts'

export type PlayersTable = {
  app_id: string
  id: string
  display_name: string
  name_key: string
  user_id: string | null
  image_url: string | null
  /** Key of the object that image_url names. A trigger adds replaced keys to `unused_objects`. */
  image_key: string | null
  created_at: string
  updated_at: string
  standing: Standing
  standing_note: string | null
}
type Tables = { players: PlayersTable }

/** SQL that reads the attributes of a player. */
export const attributes =
  '(select a.attributes from player_attributes a where a.app_id = players.app_id and a.player_id = players.id)'

/** The columns of a `Player`. */
export const columns = [
  'id',
  'display_name as displayName',
  'user_id as userId',
  'image_url as imageUrl',
  'created_at as createdAt',
  'updated_at as updatedAt',
  'standing',
  'standing_note as standingNote',
  sql<PlayerAttributes>`${sql.raw(attributes)}`.as('attributes'),
] as const

const shown = `
  id, display_name as "displayName", user_id as "userId", image_url as "imageUrl",
  created_at as "createdAt", updated_at as "updatedAt", standing, standing_note as "standingNote"`
const playersSql = (ids: string) =>
  `select ${shown}, ${attributes} as attributes from players where app_id = $1 and id ${ids}`
/** With an array, PostgreSQL plans each time, because it expects more than one id. */
const [onePlayerSql, somePlayersSql] = [playersSql('= $2'), playersSql('= any($2)')]
const insertSql = `
  with made as (
    insert into players (app_id, id, display_name, name_key, user_id, created_at, updated_at)
    values ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp())
    on conflict (app_id, name_key) do nothing returning *),
  attributed as (
    insert into player_attributes (app_id, player_id, attributes)
    select app_id, id, $6::jsonb from made where $6::jsonb is not null)
  select ${shown}, $6::jsonb as attributes from made`

/** Players of one app, in SQL. The database ensures that names are unique. @param kept undefined if none may be kept */
export function playerStore(
  { kysely, pool, reading }: Database,
  written: OwnUrls['written'],
  kept: Pick<KeptPlayers, 'read'> | undefined,
) {
  const db: Kysely<Tables> = kysely
  const toResponse = <Row extends Pick<Player, 'imageUrl'>>(row: Row): Row => {
    row.imageUrl = written(row.imageUrl)
    return row
  }

  /** The most frequent read: batched over requests, and a named statement, so that each connection plans it once. */
  const read = batchLoader<Player>({
    read: async (appId, ids) => {
      const statement =
        ids.length === 1
          ? { name: 'player', text: onePlayerSql, values: [appId, ids[0]] }
          : { name: 'players', text: somePlayersSql, values: [appId, ids] }
      const { rows } = await reading.pool.query<Player>(statement)
      return new Map(rows.map((player) => [player.id, toResponse(player)]))
    },
  })

  return {
    /** @returns undefined if the name is taken */
    async insert(
      appId: string,
      id: string,
      { displayName, userId, attributes }: PlayerChange,
    ): Promise<Player | undefined> {
      const values = [appId, id, displayName, foldName(displayName), userId ?? null, attributes]
      const { rows } = await pool.query<Player>({ name: 'new_player', text: insertSql, values })
      return rows[0] && toResponse(rows[0])
    },

    get: (appId: string, id: string): Promise<Player | undefined> => {
      const load = () => read(appId, id.toLowerCase())
      return kept ? kept.read(appId, id, load) : load()
    },

    /** @returns undefined if there is no such player, 'taken' if another one has the name */
    update: (
      appId: string,
      id: string,
      { displayName, userId }: Partial<Pick<PlayerChange, 'displayName' | 'userId'>>,
    ): Promise<Player | 'taken' | undefined> =>
      db
        .updateTable('players')
        .set({
          ...(displayName === undefined ? {} : { display_name: displayName, name_key: foldName(displayName) }),
          ...(userId === undefined ? {} : { user_id: userId }),
          updated_at: sql`clock_timestamp()`,
        })
        .where('app_id', '=', appId)
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirst()
        .then((row) => row && toResponse(row))
        .catch((error) => {
          if (isUniqueViolation(error)) return 'taken' as const
          throw error
        }),

    /** @returns false if there is no such player */
    setImage: async (appId: string, id: string, key: string): Promise<boolean> =>
      (await db
        .updateTable('players')
        .set({ image_key: key, image_url: pathOf(key), updated_at: sql`clock_timestamp()` })
        .where('app_id', '=', appId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()) !== undefined,

    removeImage: async (appId: string, id: string): Promise<void> => {
      await db
        .updateTable('players')
        .set({ image_key: null, image_url: null, updated_at: sql`clock_timestamp()` })
        .where('app_id', '=', appId)
        .where('id', '=', id)
        .where('image_url', 'is not', null)
        .execute()
    },

    /** Whether the player belongs to another app: distinguishes 403 from 404. */
    existsElsewhere: async (appId: string, id: string): Promise<boolean> =>
      (await db
        .selectFrom('players')
        .select('id')
        .where('id', '=', id)
        .where('app_id', '<>', appId)
        .executeTakeFirst()) !== undefined,
  }
}
export type PlayerStore = ReturnType<typeof playerStore>
