import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sharp } from 'sharp'
import { badRequest, HttpError, unavailable } from '../../platform/errors.ts'
import { createTurns } from '../../platform/turns.ts'

/** What the interface says of a profile image. */
export const SMALLEST = 512
export const LARGEST = 1024
/** 5 MB: 5 × 1024 × 1024 bytes. */
export const MOST_BYTES = 5 * 1024 * 1024
/** Of all frames together, before anything is decoded. */
export const MOST_PIXELS = 50_000_000
/** A machine that is very busy takes long; so does what was made to take long. */
const SECONDS = 20

/** Decoded at the same time: two, or one that is large. Up to 100 wait for their turn, on disk. */
const TURNS = 2
const LARGE_PIXELS = MOST_PIXELS / TURNS
const WAITING = 100

/** An image as it is kept. */
export type ProfileImage = { bytes: Buffer; extension: string }

type Kind = { extension: string; loader: string; begins: (head: Buffer) => boolean; encode: (image: Sharp) => Sharp }

const startsWith = (...bytes: number[]) => {
  const mark = Buffer.from(bytes)
  return (head: Buffer) => head.subarray(0, mark.length).equals(mark)
}

/** What is taken, by the bytes a file begins with; what the sender calls it does not count. */
const KINDS: Record<string, Kind> = {
  jpeg: {
    extension: 'jpg',
    loader: 'VipsForeignLoadJpeg',
    begins: startsWith(0xff, 0xd8, 0xff),
    encode: (image) => image.jpeg({ quality: 90 }),
  },
  png: {
    extension: 'png',
    loader: 'VipsForeignLoadPng',
    begins: startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    encode: (image) => image.png(),
  },
  gif: {
    extension: 'gif',
    loader: 'VipsForeignLoadNsgif',
    begins: (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6)),
    encode: (image) => image.gif(),
  },
  webp: {
    extension: 'webp',
    loader: 'VipsForeignLoadWebp',
    begins: (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
    encode: (image) => image.webp({ quality: 90 }),
  },
}

let loaded: Promise<typeof import('sharp').default> | undefined

/** Loaded at the first use: not every process ever needs it. No loader but these opens a file, here or anywhere in the process: a polyglot cannot reach another. */
async function imageLibrary() {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    // Textures of models are decoded in the same process.
    sharp.unblock({ operation: ['VipsForeignLoadHeif'] })
    sharp.cache(false)
    return sharp
  })
  const sharp = await loaded
  // The setting is the process's, and the converter of models sets it too, when its thread begins.
  sharp.unblock({ operation: Object.values(KINDS).map(({ loader }) => loader) })
  return sharp
}

/** Longer than any request takes. */
const LEFT_BEHIND_MS = 3_600_000

/** Makes profile images of what players send: checked, upright, at most 1024 × 1024, and without any metadata.
 * @param folder where images wait for their turn as they were sent; made when it is needed */
export function profileImages({ folder }: { folder: string }) {
  const inTurn = createTurns({
    free: TURNS,
    mostWaiting: WAITING,
    full: () => unavailable('Too many images are being read: try again', 5),
  })

  return {
    /** Reads the bytes to a file, as they come, and makes the image of it in its turn: however many come at once, no more than a few are in memory.
     * @throws 400 when it is no image of the interface's limits, 413 when it is larger than 5 MB, 503 when too many wait. */
    async read(bytes: AsyncIterable<Uint8Array>): Promise<ProfileImage> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, randomUUID())
      try {
        const head = await write(path, bytes)
        const [format, kind] = Object.entries(KINDS).find(([, { begins }]) => begins(head)) ?? []
        if (!format || !kind)
          throw badRequest('The image must be a JPEG, PNG, GIF or WebP; what it begins with is none of these')
        const { pixels, animated } = await measure(path, format)
        return await inTurn(pixels > LARGE_PIXELS ? TURNS : 1, () => decode(path, kind, animated))
      } finally {
        await rm(path, { force: true })
      }
    },

    /** Removes what a process that was killed left behind: it may say where it was taken. */
    async sweep(): Promise<void> {
      const names = await readdir(folder).catch(() => [])
      for (const path of names.map((name) => join(folder, name))) {
        const written = await stat(path).catch(() => undefined)
        if (written && written.mtimeMs < Date.now() - LEFT_BEHIND_MS) await rm(path, { force: true })
      }
    },
  }
}
export type ProfileImages = ReturnType<typeof profileImages>

/** @returns the first bytes */
async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const file = await open(path, 'wx', 0o600)
  let size = 0
  let head = Buffer.alloc(0)
  try {
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > MOST_BYTES) throw new HttpError(413, `The image is larger than 5 MB (${MOST_BYTES} bytes)`)
      if (head.length < 12) head = Buffer.concat([head, chunk.subarray(0, 12)])
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
  if (size === 0) throw badRequest('The image is empty')
  return head
}

/** Reads the header alone. @throws 400 unless it is of that format, and within the limits. */
async function measure(path: string, format: string): Promise<{ pixels: number; animated: boolean }> {
  const sharp = await imageLibrary()
  const isFramed = format === 'gif' || format === 'webp'
  // The limit is checked below, to say it clearly.
  const options = { animated: isFramed, limitInputPixels: false, failOn: 'error' as const }
  const header = await sharp(path, options).metadata().catch(unreadable(path))
  if (header.format !== format) throw badRequest('The image is not what it begins as')
  const { width, pages = 1, pageHeight = header.height } = header
  check(width, pageHeight, pages)
  return { pixels: width * pageHeight * pages, animated: pages > 1 }
}

async function decode(path: string, { extension, encode }: Kind, animated: boolean): Promise<ProfileImage> {
  const sharp = await imageLibrary()
  const options = { animated, limitInputPixels: MOST_PIXELS, failOn: 'error' as const, sequentialRead: true }
  const image = sharp(path, options).timeout({ seconds: SECONDS })
  // Readers do not turn frames of an animation either.
  const upright = animated ? image : image.autoOrient()
  const fitted = upright.resize(LARGEST, LARGEST, { fit: 'inside', withoutEnlargement: true })
  return { bytes: await encode(fitted).toBuffer().catch(unreadable(path)), extension }
}

const unreadable = (path: string) => (error: Error) => {
  if (error.message.startsWith('timeout:'))
    throw unavailable(`The image took longer than ${SECONDS} s to read: try again, or send a simpler one`, 30)
  throw badRequest(`The image cannot be read: ${error.message.split('\n')[0]!.replaceAll(path, 'the image')}`)
}

function check(width: number, height: number, frames: number) {
  const size = `${width}x${height}`
  if (width < SMALLEST || height < SMALLEST)
    throw badRequest(`The image is ${size} pixels; it must be at least ${SMALLEST}x${SMALLEST}`)
  if (width * height * frames > MOST_PIXELS)
    throw badRequest(
      `The image has ${frames > 1 ? `${frames} frames of ` : ''}${size} pixels; at most ${MOST_PIXELS} pixels in all are taken`,
    )
}
