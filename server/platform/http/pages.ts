import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalid } from '../errors.ts'
import { listCursor, listLimit } from '../schema.ts'
import { countRows } from './limits/limits.ts'

/** The query parameters of a list. */
export const PageQuery = z.object({ limit: listLimit(10_000, 10_000), cursor: listCursor })
export type PageQuery = z.infer<typeof PageQuery>

/**
 * A page of a list: its rows, the cursor of the next page (undefined on the last), and the number of rows in the whole
 * list.
 */
export type Page<Row> = { rows: Row[]; next: string | undefined; total: number }

/**
 * Encodes the sort key of the last row shown. The next page starts after it, whatever was added or deleted meanwhile.
 */
export const encodeCursor = (values: (string | number | null)[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/** @returns the values of a cursor; undefined without one @throws 400 for a cursor that this list did not create */
export function decodeCursor<Values>(cursor: string | undefined, schema: z.ZodType<Values>): Values | undefined {
  if (cursor === undefined) return undefined
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch {
    const message = 'is not a cursor of this list: follow the link `next` of the previous page'
    throw invalid([{ code: 'custom', message, path: ['cursor'] }])
  }
}

/**
 * A time in a cursor, as PostgreSQL writes it in UTC. Validated, because an impossible date would make PostgreSQL fail
 * and return 500.
 */
export const momentInCursor = z
  .string()
  .regex(/^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/)
  .refine((text) => {
    const seconds = text.slice(0, 19).replace(' ', 'T')
    const moment = new Date(`${seconds}Z`)
    return Number.isFinite(moment.getTime()) && moment.toISOString().startsWith(seconds)
  })

/** The same from microseconds of Unix time. */
export function momentOf(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000)
  const fraction = String(micros - seconds * 1_000_000).padStart(6, '0')
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')}.${fraction}+00`
}

const TimeCursor = z.tuple([momentInCursor, z.uuid()])

/**
 * The position of a list ordered by (created_at, id): the time as PostgreSQL writes it in UTC (to the microsecond), and
 * the ID.
 */
export function afterTime(cursor: string | undefined): { at: string; id: string } | undefined {
  const values = decodeCursor(cursor, TimeCursor)
  return values && { at: values[0], id: values[1] }
}

const RecordCursor = z.tuple([momentInCursor, z.int().min(1)])

/** The same for records with integer IDs. */
export function afterRecord(cursor: string | undefined): { at: string; id: number } | undefined {
  const values = decodeCursor(cursor, RecordCursor)
  return values && { at: values[0], id: values[1] }
}

/** Cuts the rows of a query for limit + 1 rows to a page and its next cursor. @param placeOf the sort key of a row */
export function cutPage<Row>(rows: Row[], limit: number, placeOf: (row: Row) => (string | number | null)[]) {
  const last = rows[limit - 1]
  return { rows: rows.slice(0, limit), next: rows.length > limit && last ? encodeCursor(placeOf(last)) : undefined }
}

/** The same for a list ordered by (created_at, id), as a page. `cursorAt` is `created_at::text`. */
export function pageByTime<Row extends { id: string; cursorAt: string }>(
  rows: Row[],
  limit: number,
  total: number,
): Page<Omit<Row, 'cursorAt'>> {
  const page = cutPage(rows, limit, ({ cursorAt, id }) => [cursorAt, id])
  return { rows: page.rows.map(({ cursorAt, ...row }) => row), next: page.next, total }
}

/**
 * Sets the headers with the total and the next page, and counts the rows against the caller's quota. @returns the rows
 */
export function pageRows<Row>(request: FastifyRequest, reply: FastifyReply, { rows, ...page }: Page<Row>): Row[] {
  pageHeaders(request, reply, { ...page, count: rows.length })
  return rows
}

/** The same for a page whose rows arrive later. */
export function pageHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  { count, next, total }: { count: number; next: string | undefined; total: number },
): void {
  reply.header('x-total-count', total)
  linkNext(request, reply, next)
  countRows(request, count)
}

/** Sets the Link header if there is a next page (RFC 8288; relative to this service). */
export function linkNext(request: FastifyRequest, reply: FastifyReply, next: string | undefined): void {
  if (next === undefined) return
  const [path, query] = request.url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', next)
  reply.header('link', `<${path}?${parameters}>; rel="next"`)
}
