import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createConcurrencyLimiter } from '../concurrency/concurrency-limiter.ts'
import { badRequest, unavailable } from '../errors.ts'
import { ensurePrivateDir } from '../storage/folder/ensure-dir.ts'
import { fileBytes } from '../storage/folder/file-bytes.ts'
import { spoolIn } from '../storage/spool.ts'
import { type ImageKind, isAv1, KIND_BYTES, namesOf } from './image-kinds.ts'
import { createImageReader, type ImageBytes } from './image-reader.ts'
import { type Making, PIECE_BYTES } from './image-tasks.ts'

/** What is taken. */
export type ImageRules = {
  kinds: ImageKind[]
  maxBytes: number
  /** How that is said: `5 MB`. */
  maxSaid: string
  /** Whether all frames of an animation count, and are decoded; else the first one is the image. */
  animated: boolean
}

/** An image on disk as it was sent, of which the header was read. */
export type IncomingImage = {
  path: string
  size: number
  head: Buffer
  kind: ImageKind
  width: number
  height: number
  frames: number
  sender: string
}

type Begun = Omit<IncomingImage, 'width' | 'height' | 'frames'>

/** A machine that is very busy takes long; so does what was made to take long. Twice that for a large image. */
const SECONDS = 20

/** Decoded at the same time: two, or one that is large or HEIC, whose decoder takes as much memory as a large one. Up to 100 wait for their turn, on disk. */
const TURNS = 2
const LARGE_PIXELS = 25_000_000
const WAITING = 100

/** Bytes at the beginning of an image that are shown to whoever asks for its type. */
const HEAD_BYTES = 4100

export type Images = ReturnType<typeof createImages>

/** Reads images that anybody may have sent, in processes apart: however many come at once, no more than a few are in memory, and none is decoded before its header was found to be within bounds.
 * @param folder where images wait for their turn as they were sent; made when it is needed */
export function createImages({ folder }: { folder: string }) {
  const turnsOf = (free: number) =>
    createConcurrencyLimiter({
      maxConcurrent: free,
      maxWaiting: WAITING,
      full: () => unavailable('Too many images are being read: try again', 5),
    })
  const inTurn = turnsOf(TURNS)
  // Headers do not wait for pixels.
  const headers = turnsOf(1)
  const reader = createImageReader()

  /** Reads the header alone. @throws 400 unless it is of that kind */
  const measure = async (begun: Begun, animated: boolean) => {
    const { kind, sender } = begun
    const isAnimated = animated && (kind.format === 'gif' || kind.format === 'webp')
    const read = () => reader.measure(bytesOf(begun, isAnimated), { seconds: SECONDS })
    const { format, ...size } = await headers(read, { sender })
    if (format !== kind.format) throw badRequest('The image is not what it begins as')
    return size
  }

  return {
    /** Reads the bytes to disk, as they come, and its header. What is taken has to be dropped.
     * @param sender whose turn reading it takes
     * @throws 400 when it is no image of these kinds or too large, 503 when too many wait */
    async take(
      bytes: AsyncIterable<Uint8Array>,
      { kinds, animated, ...most }: ImageRules,
      sender: string,
    ): Promise<IncomingImage> {
      ensurePrivateDir(folder)
      const path = join(folder, randomUUID())
      try {
        const { head, size } = await write(path, bytes, most)
        const kind = kinds.find(({ begins }) => begins(head.subarray(0, KIND_BYTES)))
        if (!kind) throw badRequest(`The image must be a ${namesOf(kinds)}; what it begins with is none of these`)
        const begun = { path, size, head, kind, sender }
        return { ...begun, ...(await measure(begun, animated)) }
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
    },

    drop: ({ path }: { path: string }) => rm(path, { force: true }),

    /** Makes what is kept of an image, in its turn.
     * @param use is given its bytes, before the next image has its turn
     * @throws 400 when it has more pixels or cannot be decoded, 503 when it takes too long or too many wait */
    async make<T>(
      image: IncomingImage,
      making: Making,
      use: (made: AsyncIterable<Uint8Array>) => Promise<T>,
    ): Promise<T> {
      checkPixels(image, making.maxPixels)
      const { width, height, frames, sender } = image
      const isLarge = width * height * frames > LARGE_PIXELS
      const bytes = bytesOf(image, frames > 1)
      const weight = isLarge || bytes.isHevc ? TURNS : 1
      const effort = { seconds: weight * SECONDS, isLarge }
      return inTurn(() => reader.make(bytes, making, effort, use), { weight, sender })
    },

    /** Removes what a process that was killed left behind: it may say where it was taken. */
    sweep: spoolIn(folder).sweep,

    close: reader.close,
  }
}

/** The file is opened when it is read. */
const bytesOf = ({ path, size, head, kind: { format } }: Begun, isAnimated: boolean): ImageBytes => ({
  bytes: {
    [Symbol.asyncIterator]: () => fileBytes(path, { highWaterMark: PIECE_BYTES })[Symbol.asyncIterator](),
  },
  size,
  format,
  isHevc: format === 'heif' && !isAv1(head),
  isAnimated,
})

/** @throws 400 */
export function checkPixels({ width, height, frames }: IncomingImage, maxPixels: number) {
  if (width * height * frames > maxPixels)
    throw badRequest(
      `The image has ${frames > 1 ? `${frames} frames of ` : ''}${width}x${height} pixels; at most ${maxPixels} pixels in all are taken`,
    )
}

type Most = Pick<ImageRules, 'maxBytes' | 'maxSaid'>

async function write(path: string, bytes: AsyncIterable<Uint8Array>, { maxBytes, maxSaid }: Most) {
  const file = await open(path, 'wx', 0o600)
  const heads: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of bytes) {
      if (size < HEAD_BYTES) heads.push(chunk.subarray(0, HEAD_BYTES - size))
      size += chunk.length
      if (size > maxBytes) throw badRequest(`The image is larger than ${maxSaid} (${maxBytes} bytes)`)
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
  if (size === 0) throw badRequest('The image is empty')
  return { head: Buffer.concat(heads), size }
}
