import type { FastifyRequest } from 'fastify'
import { invalid } from '../../errors.ts'

/** Parameters of other operations, and the values that change nothing here. */
export type OtherParameters = { values: Record<string, string[]>; message: string }

/**
 * A hook that refuses parameters, in the query or the body, that an operation would otherwise ignore and so answer another
 * question than asked. @throws HttpError 400
 */
export const refuseParameters =
  ({ values, message }: OtherParameters) =>
  async ({ query, body }: FastifyRequest): Promise<void> => {
    const given = { ...(query as object), ...(body as object | null) } as Record<string, unknown>
    const name = Object.keys(values).find(
      (name) => given[name] !== undefined && !values[name]!.includes(String(given[name])),
    )
    if (name !== undefined) throw invalid([{ code: 'custom', message, path: [name] }])
  }
