import { createReadStream, type ReadStream } from 'node:fs'

/** The bytes of a file. One that cannot be opened is told to who reads, also where nobody does yet: a stream without a listener would end the process. */
export const fileBytes = (path: string, options: { highWaterMark?: number } = {}): ReadStream =>
  createReadStream(path, options).on('error', () => {})
