import { randomUUID } from 'node:crypto'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sharp } from 'sharp'
import { badRequest, HttpError, unavailable } from '../errors.ts'
import { closedFolder } from '../storage/folder/ensure-dir.ts'
import { spoolIn } from '../storage/spool.ts'
import { createTurns } from '../turns.ts'
import { createHeifReader } from './heif.ts'
import { type ImageKind, isAv1, KIND_BYTES, namesOf } from './image-kinds.ts'
import { imageLibrary } from './image-library.ts'
import { openPixels } from './image-pixels.ts'

/** What is taken. */
export type ImageRules = {
  kinds: ImageKind[]
  mostBytes: number
  /** How that is said: `5 MB`. */
  mostSaid: string
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

/** Decoded at the same time: two, or one that is large. Up to 100 wait for their turn, on disk. */
const TURNS = 2
const LARGE_PIXELS = 25_000_000
const WAITING = 100

/** Bytes at the beginning of an image that are shown to whoever asks for its type. */
const HEAD_BYTES = 4100

export type Images = ReturnType<typeof createImages>

/** Reads images that anybody may have sent: however many come at once, no more than a few are in memory, and none is decoded before its header was found to be within bounds.
 * @param folder where images wait for their turn as they were sent; made when it is needed */
export function createImages({ folder }: { folder: string }) {
  const inTurn = createTurns({
    free: TURNS,
    mostWaiting: WAITING,
    full: () => unavailable('Too many images are being read: try again', 5),
  })
  const heif = createHeifReader()
  const bytesOf = (path: string) => async () => new Uint8Array(await readFile(path))

  /** Reads the header alone. @throws 400 unless it is of that kind */
  const measure = async ({ path, head, kind, sender }: Begun, animated: boolean) => {
    if (kind.format === 'heif' && !isAv1(head)) return { ...(await heif.measure(bytesOf(path), sender)), frames: 1 }
    const sharp = await imageLibrary()
    const isFramed = animated && (kind.format === 'gif' || kind.format === 'webp')
    // Whoever asks checks the limit, to say it clearly.
    const options = { animated: isFramed, limitInputPixels: false, failOn: 'error' as const }
    const header = await sharp(path, options).metadata().catch(unreadable(path))
    if (header.format !== kind.format) throw badRequest('The image is not what it begins as')
    const { width, pages: frames = 1, pageHeight: height = header.height } = header
    return { width, height, frames: isFramed ? frames : 1 }
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
      closedFolder(folder)
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

    /** Decodes the image in its turn: upright, its colours in sRGB once they are encoded, its metadata left behind.
     * @param use makes something of the pixels, before the next image has its turn
     * @throws 400 when it has more pixels or cannot be decoded, 503 when it takes too long or too many wait */
    async decode<T>(image: IncomingImage, mostPixels: number, use: (pixels: Sharp) => Promise<T>): Promise<T> {
      const { path, head, kind, frames, sender } = image
      checkPixels(image, mostPixels)
      const turns = image.width * image.height * frames > LARGE_PIXELS ? TURNS : 1
      const read = async () => {
        const sharp = await imageLibrary()
        const seconds = turns * SECONDS
        const made = (pixels: Sharp) => use(pixels.timeout({ seconds })).catch(unreadable(path, seconds))
        if (kind.format === 'heif' && !isAv1(head))
          return heif.decode(bytesOf(path), mostPixels, (pixels) => openPixels(pixels, `${path}.png`, made), sender)
        const options = { animated: frames > 1, limitInputPixels: mostPixels, failOn: 'error' as const }
        const pixels = sharp(path, { ...options, sequentialRead: true })
        // Readers do not turn frames of an animation either.
        return made(frames > 1 ? pixels : pixels.autoOrient())
      }
      return inTurn(turns, read, sender)
    },

    /** Removes what a process that was killed left behind: it may say where it was taken. */
    sweep: spoolIn(folder).sweep,

    close: heif.close,
  }
}

/** @throws 400 */
export function checkPixels({ width, height, frames }: IncomingImage, mostPixels: number) {
  if (width * height * frames > mostPixels)
    throw badRequest(
      `The image has ${frames > 1 ? `${frames} frames of ` : ''}${width}x${height} pixels; at most ${mostPixels} pixels in all are taken`,
    )
}

type Most = Pick<ImageRules, 'mostBytes' | 'mostSaid'>

async function write(path: string, bytes: AsyncIterable<Uint8Array>, { mostBytes, mostSaid }: Most) {
  const file = await open(path, 'wx', 0o600)
  const heads: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of bytes) {
      if (size < HEAD_BYTES) heads.push(chunk.subarray(0, HEAD_BYTES - size))
      size += chunk.length
      if (size > mostBytes) throw badRequest(`The image is larger than ${mostSaid} (${mostBytes} bytes)`)
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
  if (size === 0) throw badRequest('The image is empty')
  return { head: Buffer.concat(heads), size }
}

/** How libvips tells ENOSPC and EDQUOT, by strerror(3), of a file it writes. */
const FULL = /No space left on device|Disk quota exceeded/

const unreadable = (path: string, seconds?: number) => (error: Error) => {
  if (error instanceof HttpError) throw error
  if (FULL.test(error.message)) throw Object.assign(new Error(error.message), { code: 'ENOSPC' })
  if (error.message.startsWith('timeout:'))
    throw unavailable(`The image took longer than ${seconds} s to read: try again, or send a simpler one`, 30)
  throw badRequest(`The image cannot be read: ${error.message.split('\n')[0]!.replaceAll(path, 'the image')}`)
}
