import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { HttpError, invalid } from '../errors.ts'
import type { RecordCheck } from '../records/changes.ts'

/** Entity tags of a condition, without quotes; `*` stands for any. */
type Tags = '*' | string[]

/** The conditions of a request on the current state of what it names (RFC 9110 §13.1). */
export type Conditions = { ifMatch: Tags | undefined; ifNoneMatch: Tags | undefined }

const condition = (says: string) => z.string().max(2000).optional().describe(says)

/** The headers of a conditional read. */
export const ReadConditions = z.looseObject({
  'if-none-match': condition(
    'An `ETag` from an earlier response. If it is still current, the response is 304 without a body',
  ),
})

/** The headers of a conditional write. */
export const WriteConditions = z.looseObject({
  'if-match': condition('Writes only if this is the current `ETag`, otherwise 412; `*`: only if something is there'),
  'if-none-match': condition('`*`: writes only if nothing is there, otherwise 412'),
})

/** The header of a write that replaces or deletes a record. */
export const ChangeConditions = WriteConditions.pick({ 'if-match': true })

/** The entity tag of a record: of all that it has. */
export const tagOfRecord = (record: unknown): string => hash('sha256', JSON.stringify(record), 'base64url').slice(0, 22)

/** Formats an entity tag for the header `ETag`. */
export const quoteTag = (tag: string | number): string => `"${tag}"`

const LIST = /^(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*$/

/**
 * Parses one header. Weak tags match like strong ones: a compressed response has a weak tag of the same state.
 * @throws 400
 */
function tagsIn(request: FastifyRequest, name: 'if-match' | 'if-none-match'): Tags | undefined {
  const header = request.headers[name]?.trim()
  if (header === undefined || header === '*') return header
  if (!LIST.test(header)) {
    const message = 'must be an ETag as the service sent it, with its quotation marks, or *'
    throw invalid([{ code: 'invalid_format', message, path: [name === 'if-match' ? 'If-Match' : 'If-None-Match'] }])
  }
  return [...header.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag!)
}

/** The conditions that a request states. @throws 400 for a malformed header */
export const conditionsOf = (request: FastifyRequest): Conditions => ({
  ifMatch: tagsIn(request, 'if-match'),
  ifNoneMatch: tagsIn(request, 'if-none-match'),
})

/** Whether one of the tags is this one. */
export const hasTag = (tags: Tags, current: string | undefined): boolean =>
  current !== undefined && (tags === '*' || tags.includes(current))

/** @param current the tag of the current state, undefined if there is none @throws 412, with the current `ETag` */
export function assertConditions({ ifMatch, ifNoneMatch }: Conditions, current: string | undefined): void {
  const failed = (sentence: string) =>
    new HttpError(412, sentence, current === undefined ? {} : { etag: quoteTag(current) })
  if (ifMatch !== undefined && !hasTag(ifMatch, current))
    throw failed(
      current === undefined
        ? 'If-Match does not hold, because nothing is stored here: omit it to write the first state'
        : `If-Match does not hold, because the current ETag is ${quoteTag(current)}: read the current state, apply your change to it and send its ETag`,
    )
  if (ifNoneMatch !== undefined && hasTag(ifNoneMatch, current))
    throw failed(
      `If-None-Match does not hold, because the current ETag is ${quoteTag(current!)}: omit it, or send If-Match to replace that state`,
    )
}

/** The check of a write that conditions hold of the record, by its entity tag; undefined without conditions. @throws 412 */
export function checkOf<Current>(
  conditions: Conditions,
  tagOf: (current: Current) => string,
): RecordCheck<Current> | undefined {
  if (conditions.ifMatch === undefined && conditions.ifNoneMatch === undefined) return undefined
  return async (_within, current) => assertConditions(conditions, tagOf(current))
}

/**
 * Sends a document with its tag, or 304 if the caller has it already. Shared caches must not store it, and others ask
 * again each time.
 */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, tag: string, document: object) {
  const { ifNoneMatch } = conditionsOf(request)
  reply.headers({ etag: quoteTag(tag), 'cache-control': 'private, no-cache' })
  return ifNoneMatch !== undefined && hasTag(ifNoneMatch, tag) ? reply.code(304).send() : reply.send(document)
}
