import { entryColumns, entryJson } from './entry-sql.ts'

/** Where the bests of a kind of board are: those of types or of periods, and of segments of either. */
export type BoardTable = {
  name: 'player_best' | 'period_best' | 'segment_best'
  /** Begins the names of its prepared statements. */
  statements: string
  /** The column of the board's key. */
  key: 'type_key' | 'board_key'
  /** Reads the place in its session `sp` for a best `b`. */
  place: string
}

/** Boards of types. */
export const typeTable: BoardTable = {
  name: 'player_best',
  statements: 'player_best',
  key: 'type_key',
  place:
    'join session_players sp on sp.app_id = b.app_id and sp.session_id = b.session_id and sp.player_id = b.player_id',
}

/** Boards of periods. Their rows hold what is shown of the session, which may have changed since. */
export const periodTable: BoardTable = {
  name: 'period_best',
  statements: 'period_best',
  key: 'board_key',
  place:
    'cross join lateral (select b.joined_at as created_at, b.written_at as updated_at, b.session_id, b.metadata) sp',
}

const segments = { name: 'segment_best', key: 'board_key' } as const

/** Where the bests of each kind of board are. */
export const boardTables = {
  types: typeTable,
  periods: periodTable,
  segments: { ...segments, statements: 'segment_best', place: typeTable.place },
  periodSegments: { ...segments, statements: 'segment_best period', place: periodTable.place },
} satisfies Record<string, BoardTable>
export type BoardKind = keyof typeof boardTables

/** A store for each kind of board. */
export const storesOf = <Store>(make: (kind: BoardKind) => Store): Record<BoardKind, Store> => ({
  types: make('types'),
  periods: make('periods'),
  segments: make('segments'),
  periodSegments: make('periodSegments'),
})

/** Best first; of equal scores the one reached earlier, then by player id. An index has this order. */
const order = 'rank_key desc, achieved_at, player_id'
const backwards = 'rank_key, achieved_at desc, player_id desc'

/** The statements that read boards of a kind. $1 is the app, $2 the key of the board, $3 how many entries. */
export function boardStatements({ name, key, place }: BoardTable) {
  const joined = `join players p on p.app_id = b.app_id and p.id = b.player_id ${place}`
  const onBoard = `select * from ${name} where app_id = $1 and ${key} = $2 and rank_key is not null`

  /** Each part of these reads no more of the index than it returns, however many share a score. */
  const later = (key: string, at: string, id: string, limit: string) => `
    select * from (
      (${onBoard} and rank_key = ${key} and (achieved_at, player_id) > (${at}, ${id}) order by ${order} limit ${limit})
      union all
      (${onBoard} and rank_key < ${key} order by ${order} limit ${limit})) l
     order by ${order} limit ${limit}`
  const earlier = (key: string, at: string, id: string, limit: string) => `
    select * from (
      (${onBoard} and rank_key = ${key} and (achieved_at, player_id) < (${at}, ${id}) order by ${backwards} limit ${limit})
      union all
      (${onBoard} and rank_key > ${key} order by ${backwards} limit ${limit})) e
     order by ${backwards} limit ${limit}`

  const listed = (value: string) => `coalesce(string_agg((${value})::text, ',' order by n) filter (where n <= $3), '')`

  const shown = (bests: string) =>
    `select ${entryColumns} from (${bests}) b ${joined} order by b.${order.replaceAll(', ', ', b.')}`

  return {
    /** The top. */
    board: shown(`${onBoard} order by ${order} limit $3`),

    /**
     * The top as one JSON text with ranks: reading and serialising a thousand columns takes the process twice as long.
     * $4 is the public address. Also the length and the place of each entry (TopText). PostgreSQL writes 0 and scores from
     * 0.0001 to below 10^15 as JavaScript does. With any other score `isPlain` is false and the text must not be used:
     * 10^15 would be 1e+15, which not every client reads as an integer.
     */
    boardText: `
    select ${listed('entry')} as entries,
           coalesce(bool_and(score = 0 or (abs(score) >= 1e-4 and abs(score) < 1e15)), true) as "isPlain",
           coalesce(max(found), 0) > $3 as "hasMore",
           ${listed("octet_length(convert_to(entry, 'UTF8'))")} as sizes, ${listed('rank_key')} as "rankKeys",
           ${listed('achieved_at')} as "achievedAts", ${listed('player_id')} as "playerIds"
      from (select ${entryJson} as entry, b.score, b.rank_key, b.achieved_at, b.player_id, count(*) over () as found,
                   row_number() over (order by b.${order.replaceAll(', ', ', b.')}) as n
              from (${onBoard} order by ${order} limit $3 + 1) b ${joined}) e`,

    /** After the entry with the rank key $4, reached at $5, of the player $6. */
    boardAfter: shown(later('$4', '$5::timestamptz', '$6::uuid', '$3')),

    /** A player ($3) with up to `each` entries on each side, a number or $4; nothing when it is not ranked. */
    boardAround: (each: number | '$4') => `
    with me as materialized (${onBoard} and player_id = $3)
    ${shown(`
      select * from me
      union all select e.* from me cross join lateral (${earlier('me.rank_key', 'me.achieved_at', 'me.player_id', `${each}`)}) e
      union all select l.* from me cross join lateral (${later('me.rank_key', 'me.achieved_at', 'me.player_id', `${each}`)}) l`)}`,

    /** Up to $3 entries on each side of a place: the rank key $4, reached at $5, of the player $6. */
    boardNear: shown(`
      select * from (${earlier('$4', '$5::timestamptz', '$6::uuid', '$3')}) e
      union all select * from (${later('$4', '$5::timestamptz', '$6::uuid', '$3')}) l`),

    /** Of some players ($3), their entries. */
    boardOf: shown(`${onBoard} and player_id = any($3::uuid[])`),

    /** How many entries stand before a place ($3 rank key, $4 moment, $5 player), and how many have a better key. */
    place: `
    select count(*) as earlier, count(*) filter (where rank_key > $3) as above from ${name}
     where app_id = $1 and ${key} = $2
       and (rank_key > $3 or (rank_key = $3 and (achieved_at, player_id) < ($4::timestamptz, $5::uuid)))`,
  }
}

/** Statements that benchmarks repeat without the service. */
export const { board: boardSql, boardText: boardTextSql } = boardStatements(typeTable)
