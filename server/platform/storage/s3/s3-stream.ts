import { PassThrough, type Readable } from 'node:stream'
import { storageError } from './s3-errors.ts'

/**
 * The body of an S3 response. If it breaks off, readers get a 503 error without details of S3; if nobody reads on, the
 * connection ends.
 */
export function objectStream(body: Readable): Readable {
  const stream = new PassThrough({ highWaterMark: 256 * 1024 })
  body.on('error', (error) => stream.destroy(storageError(error)))
  stream.on('close', () => body.destroy())
  // It may fail before anybody listens, which must not end the process; readers still get the error.
  stream.on('error', () => {})
  return body.pipe(stream)
}
