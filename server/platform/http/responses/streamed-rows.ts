import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

type Form<Row> = {
  /** The member of the body that holds the array; without it, the body is the array. */
  member?: string
  /** Other members of that body. */
  beside?: Record<string, unknown>
  /** Serializes a row. */
  write?: (row: Row) => string
}

/**
 * Responds with a JSON array whose rows arrive in batches, each sent before the next is fetched, so that memory stays
 * flat however long the list.
 */
export function sendRows<Row>(
  reply: FastifyReply,
  parts: AsyncIterable<Row[]>,
  { member, beside = {}, write = JSON.stringify }: Form<Row> = {},
): FastifyReply {
  const body = member === undefined ? '[]' : JSON.stringify({ ...beside, [member]: [] })
  const [before, after] = [body.slice(0, body.lastIndexOf(']')), body.slice(body.lastIndexOf(']'))]
  const text = async function* () {
    let separator = before
    for await (const rows of parts) {
      if (rows.length === 0) continue
      yield separator + rows.map((row) => write(row)).join(',')
      separator = ','
    }
    yield separator === before ? before + after : after
  }
  return reply.type('application/json; charset=utf-8').send(Readable.from(text()))
}
