import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badRequest, HttpError, invalid } from '../../errors.ts'
import { type FileContent, formContent, replayForm } from '../idempotency/idempotency.ts'

/** A file of a form, as it arrives. */
export type FormFile = {
  field: string
  fileName: string | undefined
  /** The type that the sender claims; it is never trusted. */
  claimedType: string
  bytes: AsyncIterable<Uint8Array>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Maximum number of files in a form. */
    maxFiles?: number
  }
}

const MAX_TEXTS = 100

export type FormLimits = { maxBytes: number; maxFiles: number }

/** For forms, which handlers read as streams; the schema is only for the OpenAPI document. */
export const passThroughValidator = () => (data: unknown) => ({ value: data })

/** Makes the routes of this plugin accept multipart forms only. */
export async function acceptForms(app: FastifyInstance, { maxBytes, maxFiles }: FormLimits) {
  app.removeAllContentTypeParsers()
  app.decorateRequest('maxFiles', maxFiles)
  await app.register(multipart, {
    preservePath: true,
    throwFileSizeLimit: false,
    // One byte more than allowed, so that a larger file is detected.
    limits: {
      fileSize: maxBytes + 1,
      files: maxFiles,
      fields: MAX_TEXTS,
      fieldSize: 64 * 1024,
      parts: maxFiles + MAX_TEXTS,
      // Per part; more are not read.
      headerPairs: 100,
    },
  })
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('preHandler', (request, reply) => replayForm(request, reply, () => readAll(request)))
}

/**
 * The files of a form in order, one at a time: each must be read or skipped before the next. Other parts are skipped.
 * @param texts receives the text parts as they arrive; all are known after the last file @throws 400 if the form breaks
 * off or is malformed; 413 for too many files; 415 if it is not a form
 */
export async function* formFiles(
  request: FastifyRequest,
  fields?: string[],
  texts?: Map<string, string>,
): AsyncGenerator<FormFile> {
  if (!request.isMultipart()) {
    if (request.headers['content-type'] === undefined) return
    throw new HttpError(415, 'Send the file in a form with Content-Type: multipart/form-data')
  }
  // The parser would wait indefinitely for a request that is already destroyed.
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
      // Browsers send an empty file field as a part without name and bytes.
      if ((!fields || fields.includes(part.fieldname)) && part.filename !== '')
        yield { field: part.fieldname, fileName: nameOf(part), claimedType: part.mimetype, bytes }
      await bytes.return(undefined)
      part.file.resume()
    }
    ended = true
  } catch (error) {
    throw formFault(error, request.maxFiles)
  } finally {
    // A sender that was refused early may continue to send: discard the rest, otherwise its connection is stuck.
    if (!ended) request.raw.unpipe().resume()
  }
}

/** The error for a form without its file. */
export const missingFile = (field: string): HttpError =>
  invalid([{ code: 'invalid_type', message: `Send a file in the form field "${field}"`, path: [field] }])

/** Reads a form to its end, to hash its content. */
async function readAll(request: FastifyRequest) {
  for await (const { bytes } of formFiles(request)) for await (const _chunk of bytes);
}

/**
 * Quotes and line ends in a file name are percent-encoded (HTML standard, "multipart/form-data encoding algorithm").
 */
const nameOf = ({ filename }: MultipartFile) => filename?.replace(/%22/g, '"').replace(/%0[ad]/gi, ' ')

/** Leaves the stream open if the reader stops: the parser proceeds to the next part only once this one is drained. */
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

const cutShort = () => badRequest('The multipart form is malformed or incomplete: send it again')

/** Errors while a form is read are the sender's: the parser throws nothing else. */
function formFault(error: unknown, maxFiles?: number): HttpError {
  if (error instanceof HttpError) return error
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT' || code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT')
    return new HttpError(
      413,
      `A form can have at most ${maxFiles} files and ${MAX_TEXTS} other parts here: send fewer per request`,
    )
  return cutShort()
}
