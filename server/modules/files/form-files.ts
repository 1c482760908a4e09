import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badRequest, HttpError } from '../../platform/errors.ts'
import type { Incoming } from './intake.ts'

export type FormLimits = { maxBytes: number; maxFiles: number }

/** Lets the routes of this plugin read multipart forms, and nothing else. */
export async function acceptForms(app: FastifyInstance, { maxBytes, maxFiles }: FormLimits) {
  app.removeAllContentTypeParsers()
  await app.register(multipart, {
    preservePath: true,
    throwFileSizeLimit: false,
    // One byte more than is taken, so that a file of exactly the limit is not cut off unseen.
    limits: { fileSize: maxBytes + 1, files: maxFiles, fields: 100, fieldSize: 64 * 1024, parts: maxFiles + 100 },
  })
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** The files of a form in the order sent, one at a time: each must be read (or left) before the next comes. Other parts are passed over.
 * @throws 400 when the form breaks off or is malformed, 413 for too many files, 415 when it is no form. */
export async function* formFiles(request: FastifyRequest, fields: string[]): AsyncGenerator<Incoming> {
  if (!request.isMultipart()) {
    if (request.headers['content-type'] === undefined) return
    throw new HttpError(415, 'Send the file in a form: content-type multipart/form-data')
  }
  let ended = false
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue
      const bytes = bytesOf(part)
      // A browser sends an empty file field as a part without a name and without bytes.
      if (fields.includes(part.fieldname) && part.filename !== '')
        yield { fileName: nameOf(part), claimedType: part.mimetype, bytes }
      await bytes.return(undefined)
      part.file.resume()
    }
    ended = true
  } catch (error) {
    throw formFault(error)
  } finally {
    // A sender that was refused early may go on sending: what it sends is dropped, or its connection would be stuck.
    if (!ended) request.raw.unpipe().resume()
  }
}

/** Quotes and line ends in a name are sent percent-encoded (HTML standard, "multipart/form-data encoding algorithm"). */
const nameOf = ({ filename }: MultipartFile) => filename?.replace(/%22/g, '"').replace(/%0[ad]/gi, ' ')

/** Leaves the stream open when the reader stops: the parser can only go on to the next part once this one was drained. */
async function* bytesOf(part: MultipartFile): AsyncGenerator<Uint8Array> {
  try {
    yield* part.file.iterator({ destroyOnReturn: false })
  } catch (error) {
    throw formFault(error)
  }
}

/** What breaks while a form is read is the sender's: the parser throws nothing else. */
function formFault(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT' || code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT')
    return new HttpError(413, 'The form has too many parts: send fewer files at a time')
  return badRequest('The multipart form is malformed or was cut off: send it again, whole')
}
