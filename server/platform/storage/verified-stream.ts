import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'

/** The storage handed out other bytes than were kept: damaged on their way, or on its disk. */
export class WrongBytes extends Error {
  constructor() {
    super('The storage handed out other bytes than were kept')
  }
}

/**
 * The bytes of a whole object as they come, but the last piece only once all of them were those that were kept: whoever
 * reads wrong bytes never comes to their end. Ends with WrongBytes then.
 * @param sha256 of the whole, in hexadecimal
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
  // It may break before anybody listens; that must not end the process, and is told all the same.
  stream.on('error', () => {})
  return bytes.pipe(stream)
}
