import type { preValidationHookHandler } from 'fastify'
import { invalid } from '../../errors.ts'

/** Parameters of other operations, with the values that change nothing here, and what to do instead. */
export type OtherParameters = { values: Record<string, string[]>; message: string }

/**
 * A hook that refuses parameters, in the query or the body, that an operation would otherwise ignore and so answer another
 * question than asked. @throws HttpError 400
 */
export function refuseParameters({ values, message }: OtherParameters): preValidationHookHandler {
  const others = Object.entries(values)
  return ({ query, body }, _reply, done) => {
    for (const part of [query, body] as (Record<string, unknown> | null | undefined)[])
      for (const [name, accepted] of others) {
        const value = part?.[name]
        if (value !== undefined && !accepted.includes(String(value)))
          return done(invalid([{ code: 'custom', message, path: [name] }]))
      }
    done()
  }
}
