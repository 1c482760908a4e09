import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { unavailable } from '../../platform/errors.ts'

/** Maximum bytes of all files that wait for their readers. */
const MAX_BYTES = 1024 * 2 ** 20

/**
 * Stores files while clients download them, however slowly, so that nothing else waits. They are unnamed files in the
 * temporary folder: each is gone when its stream closes, and all with this process.
 */
export function createSpool(maxBytes = MAX_BYTES) {
  let held = 0

  /**
   * @param fill writes the file in chunks @returns its bytes as a stream, and their number @throws HttpError 503 if too
   * much is stored
   */
  return async (
    fill: (write: (piece: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<{ stream: Readable; size: number }> => {
    const path = join(tmpdir(), `cairn-export-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    let size = 0
    try {
      await unlink(path)
      await fill(async (piece) => {
        if (held + piece.length > maxBytes) throw unavailable('Too many exports are being downloaded: retry later', 30)
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
