import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalid } from '../errors.ts'
import { listCursor, listLimit } from '../schema.ts'
import { countRows } from './limits/limits.ts'

/** What a list takes in its query. */
export const PageQuery = z.object({ limit: listLimit(10_000, 10_000), cursor: listCursor })
export type PageQuery = z.infer<typeof PageQuery>

/** A part of a list: where the next part goes on (undefined: this was the last), and how many rows the whole list has. */
export type Page<Row> = { rows: Row[]; next: string | undefined; total: number }

/** Written into the cursor: the values that the list is ordered by, of the last row shown. A page goes on after them, whatever was added or deleted meanwhile. */
export const encodeCursor = (values: (string | number | null)[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/** @returns the values of a cursor; undefined without one. @throws 400 for one that this list did not make. */
export function decodeCursor<Values>(cursor: string | undefined, schema: z.ZodType<Values>): Values | undefined {
  if (cursor === undefined) return undefined
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch {
    const message = 'is not a cursor of this list: take it from the Link header of the page before'
    throw invalid([{ code: 'custom', message, path: ['cursor'] }])
  }
}

/** A moment in a cursor, as PostgreSQL writes it in UTC. One that no calendar has would be its error, and look like a fault of ours. */
export const momentInCursor = z
  .string()
  .regex(/^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/)
  .refine((text) => {
    const seconds = text.slice(0, 19).replace(' ', 'T')
    const moment = new Date(`${seconds}Z`)
    return Number.isFinite(moment.getTime()) && moment.toISOString().startsWith(seconds)
  })

const TimeCursor = z.tuple([momentInCursor, z.uuid()])

/** Where a list by (created_at, id) goes on: the moment as PostgreSQL writes it in UTC (to the microsecond), and the id. */
export function afterTime(cursor: string | undefined): { at: string; id: string } | undefined {
  const values = decodeCursor(cursor, TimeCursor)
  return values && { at: values[0], id: values[1] }
}

const RecordCursor = z.tuple([momentInCursor, z.int().min(1)])

/** The same of records whose ids are integers. */
export function afterRecord(cursor: string | undefined): { at: string; id: number } | undefined {
  const values = decodeCursor(cursor, RecordCursor)
  return values && { at: values[0], id: values[1] }
}

/** What is shown of the rows of a query that asked for one row more than the limit, and where the next page goes on. @param placeOf the values that the list is ordered by, of a row */
export function cutPage<Row>(rows: Row[], limit: number, placeOf: (row: Row) => (string | number | null)[]) {
  const last = rows[limit - 1]
  return { rows: rows.slice(0, limit), next: rows.length > limit && last ? encodeCursor(placeOf(last)) : undefined }
}

/** The same of a list by (created_at, id), as a page. `cursorAt` is `created_at::text`. */
export function pageByTime<Row extends { id: string; cursorAt: string }>(
  rows: Row[],
  limit: number,
  total: number,
): Page<Omit<Row, 'cursorAt'>> {
  const page = cutPage(rows, limit, ({ cursorAt, id }) => [cursorAt, id])
  return { rows: page.rows.map(({ cursorAt, ...row }) => row), next: page.next, total }
}

/** Says in headers how long the whole list is and where it goes on, so that bodies stay as the interface has them. Counts the rows against the caller's quota. @returns the rows */
export function pageRows<Row>(request: FastifyRequest, reply: FastifyReply, { rows, next, total }: Page<Row>): Row[] {
  reply.header('x-total-count', total)
  linkNext(request, reply, next)
  countRows(request, rows.length)
  return rows
}

/** Says where a list goes on, if it does (RFC 8288; a reference relative to this service). */
export function linkNext(request: FastifyRequest, reply: FastifyReply, next: string | undefined): void {
  if (next === undefined) return
  const [path, query] = request.url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', next)
  reply.header('link', `<${path}?${parameters}>; rel="next"`)
}
