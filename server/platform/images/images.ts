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

/** What is accepted. */
export type ImageRules = {
  kinds: ImageKind[]
  maxBytes: number
  /** Its form in messages: `5 MB`. */
  maxSaid: string
  /** Whether all frames of an animation count and are decoded, or only the first. */
  animated: boolean
}

/** An uploaded image on disk, with its parsed header. */
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

type Upload = Omit<IncomingImage, 'width' | 'height' | 'frames'>

/** A busy machine may need long. Twice as much for a large image. */
const SECONDS = 20

/**
 * Concurrent decodings: two, or one of a large image or a HEIC, whose decoder needs as much memory. Up to 100 wait on
 * disk.
 */
const TURNS = 2
const LARGE_PIXELS = 25_000_000
const WAITING = 100

/** First bytes of an image, for detecting its type. */
const HEAD_BYTES = 4100

export type Images = ReturnType<typeof createImages>

/**
 * Reads untrusted images in sandboxed processes: however many arrive, only a few are in memory, and none is decoded
 * before its header is within the limits. @param folder where uploads wait; created when needed
 */
export function createImages({ folder }: { folder: string }) {
  const turnsOf = (free: number) =>
    createConcurrencyLimiter({
      maxConcurrent: free,
      maxWaiting: WAITING,
      full: () => unavailable('Too many images are being read: try again', 5),
    })
  const limited = turnsOf(TURNS)
  // Headers do not wait for decodings.
  const headers = turnsOf(1)
  const reader = createImageReader()

  /** Reads the header only. @throws 400 if it is not of that format */
  const measure = async (upload: Upload, animated: boolean) => {
    const { kind, sender } = upload
    const isAnimated = animated && (kind.format === 'gif' || kind.format === 'webp')
    const read = () => reader.measure(bytesOf(upload, isAnimated), { seconds: SECONDS })
    const { format, ...size } = await headers(read, { sender })
    if (format !== kind.format) throw badRequest('The content of the image does not match its signature')
    return size
  }

  return {
    /**
     * Writes the bytes to disk as they arrive, and reads the header. The caller must drop the image afterwards. @param
     * sender for fairness @throws 400 if it is not an image of these formats or too large; 503 if too many wait
     */
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
        if (!kind) throw badRequest(`The image must be a ${namesOf(kinds)}; its first bytes match none of these`)
        const upload = { path, size, head, kind, sender }
        return { ...upload, ...(await measure(upload, animated)) }
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
    },

    drop: ({ path }: { path: string }) => rm(path, { force: true }),

    /**
     * Creates the output of an image, in its turn. @param use receives its bytes, before the next image has its turn
     * @throws 400 if it has too many pixels or cannot be decoded; 503 if it takes too long or too many wait
     */
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
      return limited(() => reader.make(bytes, making, effort, use), { weight, sender })
    },

    /** Removes what a killed process left behind, as it may contain locations. */
    sweep: spoolIn(folder).sweep,

    close: reader.close,
  }
}

/** The file is opened when it is read. */
const bytesOf = ({ path, size, head, kind: { format } }: Upload, isAnimated: boolean): ImageBytes => ({
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
      `The image has ${frames > 1 ? `${frames} frames of ` : ''}${width}x${height} pixels; at most ${maxPixels} pixels in total are accepted`,
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
