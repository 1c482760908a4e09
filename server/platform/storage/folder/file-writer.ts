import type { FileHandle } from 'node:fs/promises'

/** Bytes that may wait for the running write before the sender must wait too. */
const MAX_WAITING = 256 * 1024

/** Writes chunks in order while the next ones arrive: all that arrived during one write is written with the next. */
export function fileWriter(file: FileHandle) {
  let waiting: Uint8Array[] = []
  let bytes = 0
  let writing: Promise<void> | undefined
  let failure: { error: unknown } | undefined

  const writeWaiting = async () => {
    while (waiting.length > 0) {
      const pieces = waiting
      const whole = bytes
      waiting = []
      bytes = 0
      const { bytesWritten } = await file.writev(pieces)
      // A nearly full disk may accept a part.
      if (bytesWritten < whole) await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten))
    }
  }
  const start = () => {
    writing ??= writeWaiting()
      .catch((error: unknown) => {
        failure = { error }
      })
      .finally(() => {
        writing = undefined
      })
    return writing
  }

  return {
    /** @throws the error of an earlier write */
    async add(piece: Uint8Array): Promise<void> {
      waiting.push(piece)
      bytes += piece.length
      const written = start()
      if (bytes >= MAX_WAITING) await written
      if (failure) throw failure.error
    },

    /** Waits until everything is written. @throws the error of a write */
    async end(): Promise<void> {
      await writing
      if (failure) throw failure.error
    },
  }
}
