import type { FastifyInstance } from 'fastify'
import { HttpError, invalid } from '../../errors.ts'
import { utf8Fault } from './body-encodings.ts'
import { excessOf, formatBytes, MAX_BODY_LEVELS } from './body-limits.ts'

const TOO_DEEP = invalid([{ code: 'custom', message: `is nested more than ${MAX_BODY_LEVELS} deep`, path: [] }])

const tooMuchOutsideStrings = (characters: number) =>
  new HttpError(413, `Without its strings, the body is larger than ${formatBytes(characters)}: send less per request`)

/**
 * Parses JSON bodies of these content types. An empty one counts as none (many clients send the content type with DELETE); members that could
 * reach a prototype are dropped, like unknown ones.
 */
export function readJson(app: FastifyInstance, types = ['application/json']) {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    const fault = utf8Fault(request.headers['content-type']!, bytes as Buffer)
    if (fault) return done(fault)
    const body = bytes.toString()
    const { charactersOutsideStrings: characters = Number.POSITIVE_INFINITY } = request.routeOptions.config
    const excess = excessOf(body, { levels: MAX_BODY_LEVELS, characters })
    if (excess === 'levels') return done(TOO_DEEP)
    if (excess === 'characters') return done(tooMuchOutsideStrings(characters))
    if (mayNamePrototype(body)) return void parse(request, body, (error, value) => done(error && notJson(body), value))
    let value: unknown
    try {
      value = JSON.parse(body)
    } catch {
      return done(notJson(body))
    }
    done(null, value)
  })
}

/**
 * Whether a body may have members that could reach a prototype, also escaped, or begins with a byte order mark. The
 * parser that drops these takes twice as long for a long string.
 */
const mayNamePrototype = (body: string): boolean =>
  body.charCodeAt(0) === 0xfeff || ['"__proto__"', '"constructor"', '\\u'].some((part) => body.includes(part))

/** The error of JSON.parse, which says what is wrong and where. */
function notJson(body: string): HttpError {
  try {
    JSON.parse(body)
    return new HttpError(400, 'The body is not valid JSON')
  } catch (error) {
    return new HttpError(400, `The body is not valid JSON: ${(error as Error).message}`)
  }
}
