import type { FileHandle } from 'node:fs/promises'

/** So much may wait for the write that is under way before the sender must wait too. */
const MAX_WAITING = 256 * 1024

/** Writes pieces one after the other while the next ones come in: all that came during one write goes with the next. */
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
      // A disk that is nearly full may take a part.
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
    /** @throws what went wrong with a write before */
    async add(piece: Uint8Array): Promise<void> {
      waiting.push(piece)
      bytes += piece.length
      const written = start()
      if (bytes >= MAX_WAITING) await written
      if (failure) throw failure.error
    },

    /** Waits until all is written. @throws what went wrong */
    async end(): Promise<void> {
      await writing
      if (failure) throw failure.error
    },
  }
}
