import { PassThrough, type Readable } from 'node:stream'
import { storageError } from './s3-errors.ts'

/** The bytes of an answer of S3. When they break off, whoever reads them is told 503 and not what S3 said; when nobody reads on, the connection ends. */
export function objectStream(body: Readable): Readable {
  const stream = new PassThrough({ highWaterMark: 256 * 1024 })
  body.on('error', (error) => stream.destroy(storageError(error)))
  stream.on('close', () => body.destroy())
  // It may break before anybody listens; that must not end the process, and is told all the same.
  stream.on('error', () => {})
  return body.pipe(stream)
}
