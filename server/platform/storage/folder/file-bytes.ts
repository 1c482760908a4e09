import { createReadStream, type ReadStream } from 'node:fs'

/**
 * The bytes of a file. An open error reaches the reader even if it comes later: without a listener it would end the
 * process.
 */
export const fileBytes = (path: string, options: { highWaterMark?: number } = {}): ReadStream =>
  createReadStream(path, options).on('error', () => {})
