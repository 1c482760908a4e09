import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badRequest, HttpError, invalid } from '../../errors.ts'
import { type FileContent, formContent, replayForm } from '../idempotency/idempotency.ts'

/** A file of a form, on its way in. */
export type FormFile = {
  field: string
  fileName: string | undefined
  /** What the sender says it is; it is never believed. */
  claimedType: string
  bytes: AsyncIterable<Uint8Array>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Files a form may have, where forms are taken. */
    maxFiles?: number
  }
}

const MAX_TEXTS = 100

export type FormLimits = { maxBytes: number; maxFiles: number }

/** For forms, which handlers read as they stream in: their schema is for the description alone. */
export const passThroughValidator = () => (data: unknown) => ({ value: data })

/** Lets the routes of this plugin read multipart forms, and nothing else. */
export async function acceptForms(app: FastifyInstance, { maxBytes, maxFiles }: FormLimits) {
  app.removeAllContentTypeParsers()
  app.decorateRequest('maxFiles', maxFiles)
  await app.register(multipart, {
    preservePath: true,
    throwFileSizeLimit: false,
    // One byte more than is taken, so that a file of exactly the limit is not cut off unseen.
    limits: {
      fileSize: maxBytes + 1,
      files: maxFiles,
      fields: MAX_TEXTS,
      fieldSize: 64 * 1024,
      parts: maxFiles + MAX_TEXTS,
      // Of one part; more are not read.
      headerPairs: 100,
    },
  })
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('preHandler', (request, reply) => replayForm(request, reply, () => readAll(request)))
}

/** The files of a form in the order sent, one at a time: each must be read (or left) before the next comes. Other parts are passed over.
 * @param texts takes the text parts, each as it comes: all are known once the last file was read
 * @throws 400 when the form breaks off or is malformed, 413 for too many files, 415 when it is no form. */
export async function* formFiles(
  request: FastifyRequest,
  fields?: string[],
  texts?: Map<string, string>,
): AsyncGenerator<FormFile> {
  if (!request.isMultipart()) {
    if (request.headers['content-type'] === undefined) return
    throw new HttpError(415, 'Send the file in a form: content-type multipart/form-data')
  }
  // The parser would wait for ever for the end of what was let go of before it began.
  if (request.raw.destroyed) throw cutShort()
  let ended = false
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') {
        formContent(request)?.addText(part.fieldname, String(part.value))
        if (texts?.has(part.fieldname))
          throw invalid([{ code: 'custom', message: 'is given twice: send it once', path: [part.fieldname] }])
        texts?.set(part.fieldname, String(part.value))
        continue
      }
      const bytes = bytesOf(part, formContent(request)?.addFile(part.fieldname, part.filename))
      // A browser sends an empty file field as a part without a name and without bytes.
      if ((!fields || fields.includes(part.fieldname)) && part.filename !== '')
        yield { field: part.fieldname, fileName: nameOf(part), claimedType: part.mimetype, bytes }
      await bytes.return(undefined)
      part.file.resume()
    }
    ended = true
  } catch (error) {
    throw formFault(error, request.maxFiles)
  } finally {
    // A sender that was refused early may go on sending: what it sends is dropped, or its connection would be stuck.
    if (!ended) request.raw.unpipe().resume()
  }
}

/** What to answer to a form without the file it is about. */
export const missingFile = (field: string): HttpError =>
  invalid([{ code: 'invalid_type', message: `Send a file in the form field "${field}"`, path: [field] }])

/** Reads a form to its end, for its content alone. */
async function readAll(request: FastifyRequest) {
  for await (const { bytes } of formFiles(request)) for await (const _chunk of bytes);
}

/** Quotes and line ends in a name are sent percent-encoded (HTML standard, "multipart/form-data encoding algorithm"). */
const nameOf = ({ filename }: MultipartFile) => filename?.replace(/%22/g, '"').replace(/%0[ad]/gi, ' ')

/** Leaves the stream open when the reader stops: the parser can only go on to the next part once this one was drained. */
async function* bytesOf(part: MultipartFile, seen: FileContent | undefined): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of part.file.iterator({ destroyOnReturn: false })) {
      seen?.add(chunk)
      yield chunk
    }
  } catch (error) {
    throw formFault(error)
  }
}

const cutShort = () => badRequest('The multipart form is malformed or was cut off: send it again, whole')

/** What breaks while a form is read is the sender's: the parser throws nothing else. */
function formFault(error: unknown, maxFiles?: number): HttpError {
  if (error instanceof HttpError) return error
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT' || code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT')
    return new HttpError(
      413,
      `A form has at most ${maxFiles} files and ${MAX_TEXTS} other parts here: send fewer at a time`,
    )
  return cutShort()
}
