import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { decodeCursor, momentInCursor } from '../../platform/http/pages.ts'
import type { PlayerSort } from './schema.ts'

const DEFAULT_GAME = '00000000-0000-0000-0000-000000000000'
const isUuid = (text: string) => z.uuid().safeParse(text).success

/** The key of a mini game type in player_best; an ID that cannot exist has no scores. */
export const typeKeyOf = (id: string | undefined): string | null =>
  id === undefined || id === 'default' ? DEFAULT_GAME : isUuid(id) ? id : null

const bestOf = (typeKey: string | null) => sql`coalesce((
  select b.rank_key from player_best b
   where b.app_id = players.app_id and b.type_key = ${typeKey}::uuid and b.player_id = players.id), '-infinity')`

type Order = { key: RawBuilder<unknown>; type: string; cursor: z.ZodType<string> }
const orders = {
  createdAt: () => ({ key: sql`created_at`, type: 'timestamptz', cursor: momentInCursor }),
  displayName: () => ({ key: sql`name_key`, type: 'text', cursor: z.string() }),
  bestScore: (typeKey) => ({
    key: bestOf(typeKey),
    type: 'float8',
    cursor: z.string().regex(/^-?(Infinity|\d+(\.\d+)?(e[+-]?\d+)?)$/),
  }),
} satisfies Record<string, (typeKey: string | null) => Order>

/** How a list of players is ordered: the key to sort by, what comes after a cursor, and the order itself. */
export function orderOf(sort: PlayerSort, typeKey: string | null, cursor: string | undefined) {
  const isDescending = sort.startsWith('-')
  const { key, type, cursor: schema } = orders[sort.replace('-', '') as keyof typeof orders](typeKey)
  const after = decodeCursor(cursor, z.tuple([schema, z.uuid()]))
  const [direction, comparison] = isDescending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
  return {
    cursorAt: sql<string>`(${key})::text`,
    after: after && sql<boolean>`(${key}, id) ${comparison} (${after[0]}::${sql.raw(type)}, ${after[1]}::uuid)`,
    by: sql`${key} ${direction}, id ${direction}`,
  }
}
