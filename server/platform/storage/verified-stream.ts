import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'

/** The storage returned other bytes than were stored: damaged in transit, or on its disk. */
export class WrongBytes extends Error {
  constructor() {
    super('The storage returned other bytes than were stored')
  }
}

/**
 * The bytes of a whole object, where the last chunk is passed on only once the hash matches: readers never reach the
 * end of wrong bytes. Otherwise ends with WrongBytes. @param sha256 of the whole, in hexadecimal
 */
export function verifiedStream(bytes: Readable, sha256: string): Readable {
  const hash = createHash('sha256')
  let held: Buffer | undefined
  const stream = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece)
      const before = held
      held = piece
      done(null, before)
    },
    flush(done) {
      if (hash.digest('hex') === sha256) done(null, held)
      else done(new WrongBytes())
    },
  })
  bytes.on('error', (error) => stream.destroy(error))
  stream.on('close', () => bytes.destroy())
  // It may fail before anybody listens, which must not end the process; readers still get the error.
  stream.on('error', () => {})
  return bytes.pipe(stream)
}
