import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pageHeaders } from '../pages.ts'

type Form = {
  /** The member of the body that holds the array; without it, the body is the array. */
  member?: string
  /** Other members of that body. */
  beside?: Record<string, unknown>
}

/**
 * Characters that are sent at once. Larger buffers are mapped and unmapped by the allocator each time, which takes as
 * long as sending them.
 */
const PIECE = 48 * 1024

/** Cuts a text into pieces to send, between characters. */
export function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = at + PIECE
    if (isLowSurrogate(text.charCodeAt(end))) end++
    yield text.slice(at, end)
    at = end
  }
}

const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff

/** A text, or its bytes in UTF-8, is JSON already: one row, or several separated by commas. */
type Row = object | string | Uint8Array
const jsonOf = (row: Row): string => (typeof row === 'string' ? row : JSON.stringify(row))

type LongPage = Parameters<typeof pageHeaders>[2] & { batches: AsyncIterable<Row[]> }

/** Responds with a page whose rows arrive in batches, in this member of the body, with the headers of a page. */
export function sendLongPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: LongPage,
  member: string,
): FastifyReply {
  pageHeaders(request, reply, page)
  return sendRows(reply, page.batches, { member })
}

/**
 * Responds with a JSON array whose rows arrive in batches, each sent before the next is fetched, so that memory stays
 * flat however long the list.
 */
export function sendRows(
  reply: FastifyReply,
  parts: AsyncIterable<Row[]>,
  { member, beside = {} }: Form = {},
): FastifyReply {
  const body = member === undefined ? '[]' : JSON.stringify({ ...beside, [member]: [] })
  const [before, after] = [body.slice(0, body.lastIndexOf(']')), body.slice(body.lastIndexOf(']'))]
  const text = async function* () {
    let waiting = before
    let separator = ''
    for await (const rows of parts) {
      for (const row of rows) {
        if (row instanceof Uint8Array) {
          yield waiting + separator
          yield row
          waiting = ''
          separator = ','
          continue
        }
        waiting += separator + jsonOf(row)
        separator = ','
        if (waiting.length < PIECE) continue
        yield* piecesOf(waiting)
        waiting = ''
      }
      if (waiting) yield waiting
      waiting = ''
    }
    yield waiting + after
  }
  return reply.type('application/json; charset=utf-8').send(Readable.from(text()))
}
