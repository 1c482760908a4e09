import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { unavailable } from '../../platform/errors.ts'

/** Bytes of all files that wait to be taken. */
const MAX_BYTES = 1024 * 2 ** 20

/**
 * Keeps files while their readers take them, however slowly, so that nothing else waits for that. They lie in the
 * temporary folder without a name: each is gone when its stream closes, and all are with this process.
 */
export function createSpool(maxBytes = MAX_BYTES) {
  let held = 0

  /** @param fill writes the file in pieces. @returns its bytes as a stream, and how many they are. @throws HttpError 503 when too much is held */
  return async (
    fill: (write: (piece: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<{ stream: Readable; size: number }> => {
    const path = join(tmpdir(), `cairn-export-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    let size = 0
    try {
      await unlink(path)
      await fill(async (piece) => {
        if (held + piece.length > maxBytes) throw unavailable('Too many exports are being taken: try again soon', 30)
        held += piece.length
        size += piece.length
        await file.write(piece)
      })
    } catch (error) {
      held -= size
      await file.close()
      throw error
    }
    const stream = file.createReadStream({ start: 0 })
    stream.once('close', () => {
      held -= size
    })
    return { stream, size }
  }
}
