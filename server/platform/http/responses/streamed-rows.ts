import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

type Form<Row> = {
  /** The member of the body that is the array; without it the array is the body. */
  member?: string
  /** Further members of that body. */
  beside?: Record<string, unknown>
  /** A row as JSON. */
  write?: (row: Row) => string
}

/** Answers with a JSON array whose rows come in parts, each sent before the next is fetched: memory stays flat however long the list and its rows are. */
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
