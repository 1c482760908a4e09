import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Answers with a JSON array whose rows come in parts, each sent before the next is fetched: memory stays flat however long the list and its rows are.
 * @param member the member of the body that is the array; without it the array is the body
 * @param beside further members of that body */
export function sendRows(
  reply: FastifyReply,
  parts: AsyncIterable<unknown[]>,
  member?: string,
  beside: Record<string, unknown> = {},
): FastifyReply {
  const body = member === undefined ? '[]' : JSON.stringify({ ...beside, [member]: [] })
  const [before, after] = [body.slice(0, body.lastIndexOf(']')), body.slice(body.lastIndexOf(']'))]
  const text = async function* () {
    let separator = before
    for await (const rows of parts) {
      if (rows.length === 0) continue
      yield separator + rows.map((row) => JSON.stringify(row)).join(',')
      separator = ','
    }
    yield separator === before ? before + after : after
  }
  return reply.type('application/json; charset=utf-8').send(Readable.from(text()))
}
