import { tooLarge } from '../errors.ts'
import type { Entry } from '../package/zip.ts'
import type { Notes } from '../report.ts'
import type { SourceImage } from '../scene/materials/material.ts'
import { uniqueNames } from '../scene/prim-names.ts'
import type { Encoding, Size } from './images/codec.ts'
import { concurrencyLimit } from './images/concurrency-limit.ts'
import { type PixelEdit, renormalise } from './images/pixel-edits.ts'
import { hasTransparency, type ImageProcessing, processImage } from './images/process-image.ts'
import { stripColorMetadata } from './images/strip-metadata.ts'
import { inspectImage, type UsableImage, unreadable } from './images/usable-image.ts'

/** How a surface uses an image. */
export type ImageUse = {
  edit?: PixelEdit | undefined
  colorSpace: 'sRGB' | 'raw'
  readsAlpha?: boolean
  /** The only channel written to the file. */
  channel?: 0 | 1 | 2 | undefined
  isNormalMap?: boolean
  /** A suffix of the file name: "roughness". */
  suffix?: string
}
type File = { path: string; bytes?: Uint8Array }

/** More concurrent decodes would not be faster on the available cores, and cost memory. */
const maxConcurrentDecodes = 2
/** Every material may need its own version of an image: limits the number of files and the total pixels. */
const maxMade = 4000
const maxRounds = 3

/**
 * Manages the image files of a package. JPEG and PNG are copied unchanged unless pixels must change; equal files are
 * stored once. Unusable images are noted and left out.
 * @param options.maxPixels of all distinct images together.
 * @param options.bakes whether to remove colour profiles and orientation tags, which some viewers apply although glTF
 * ignores them.
 */
export function textureFiles(options: { maxPixels: number; bakes: boolean }, notes: Notes) {
  const uniqueName = uniqueNames()
  const inspected = new Map<SourceImage, Promise<UsableImage | undefined>>()
  const counted = new Set<string>()
  const seenThrough = new Map<string, Promise<boolean>>()
  const failed = new Set<string>()
  const reduced = new Set<string>()
  const files = new Map<string, File>()
  let wanted = new Set<string>()
  let running: Promise<void>[] = []
  const inTurn = concurrencyLimit(maxConcurrentDecodes)
  let noted = 0
  let pixels = 0
  let made = 0
  let remade = 0
  let sideCap = Infinity

  const inspect = async (image: SourceImage): Promise<UsableImage | undefined> => {
    const usable = await inspectImage(image)
    if ('code' in usable) {
      notes.leftOut(usable.code, usable.message)
      return undefined
    }
    if (!counted.has(usable.hash)) {
      counted.add(usable.hash)
      pixels += usable.header.width * usable.header.height
    }
    if (pixels > options.maxPixels) {
      throw tooLarge(`The textures of the model have more than ${options.maxPixels} pixels.`)
    }
    return usable
  }

  const refuseMore = (more: number) => {
    made++
    remade += more
    if (made > maxMade || remade > options.maxPixels * maxRounds) {
      throw tooLarge('The materials of the model need too many versions of its textures.')
    }
  }

  const make = async (usable: UsableImage, use: ImageUse, file: File, encoding: Encoding) => {
    const { header } = usable
    const size = cappedSize(usable, sideCap)
    const asIs = header.plain && !usable.render && !use.edit && use.channel === undefined && !size
    const keepAlpha = use.readsAlpha === true
    const edits = [...(use.edit ? [use.edit] : []), ...(size && use.isNormalMap ? [renormalise] : [])]
    const rewriting: ImageProcessing = { size, edits, channel: use.channel, keepAlpha, encoding }
    if (!asIs) refuseMore(header.width * header.height)
    try {
      if (asIs) file.bytes = options.bakes ? stripColorMetadata(usable.bytes, header.kind) : usable.bytes
      else file.bytes = await inTurn(() => processImage(usable, rewriting))
    } catch {
      failed.add(usable.hash)
    }
  }
  const noteChange = (usable: UsableImage, encoding: Encoding) => {
    const { header, render, name, hash } = usable
    if (!header.plain && !(render && header.kind !== 'ktx2')) {
      const extension = encoding === 'jpeg' ? 'jpg' : 'png'
      // CMYK is the only kind of JPEG that viewers do not support.
      const kind = header.kind === 'jpeg' ? 'CMYK' : header.kind
      notes.changed('texture_reencoded', `Textures in ${kind} are re-encoded as ${extension}.`)
    }
    const size = cappedSize(usable, sideCap)
    if (size && !reduced.has(hash)) {
      reduced.add(hash)
      const from = `${header.width} × ${header.height}`
      notes.changed(
        'texture_size',
        `${name ? `The texture "${name}"` : 'A texture'} is reduced from ${from} to ${size.width} × ${size.height}.`,
      )
    }
  }

  return {
    /** Inspects an image; undefined, with a note, when it cannot be used. */
    async inspect(image: SourceImage): Promise<UsableImage | undefined> {
      const known = inspected.get(image) ?? inspect(image)
      inspected.set(image, known)
      const usable = await known
      return usable && failed.has(usable.hash) ? undefined : usable
    },
    /** Tells whether an image has transparent pixels. Decoding errors are reported when its file is made. */
    isSeenThrough(usable: UsableImage): Promise<boolean> {
      const known = seenThrough.get(usable.hash) ?? inTurn(() => hasTransparency(usable)).catch(() => true)
      seenThrough.set(usable.hash, known)
      return known
    },
    /** Reduces larger images to this many pixels per side from now on. */
    limitSides(side: number): void {
      sideCap = side
    },
    /**
     * Adds an image to the package, once for each use; processing continues until `finish`. An image used as colour and
     * as data becomes two files: viewers that cache one texture per file would use one colour space for both.
     * @returns its path in the package.
     */
    file(usable: UsableImage, use: ImageUse): string {
      const { header, hash } = usable
      const alphaMatters = use.readsAlpha && (!header.plain || use.edit || cappedSize(usable, sideCap))
      const key = [hash, use.edit?.key, use.colorSpace, use.channel, use.isNormalMap, Boolean(alphaMatters)].join(' ')
      wanted.add(key)
      let file = files.get(key)
      if (!file) {
        // JPEG artefacts would be visible in data, and JPEG has no alpha.
        const keepExact = use.colorSpace === 'raw' || use.readsAlpha
        const isJpeg = header.kind === 'jpeg' && !(use.readsAlpha && header.alpha)
        const encoding: Encoding = isJpeg || (header.kind !== 'png' && !keepExact) ? 'jpeg' : 'png'
        const stem = usable.name.replace(/^.*[/\\]|\.\w+$/g, '') || 'texture'
        const name = uniqueName(use.suffix ? `${stem}_${use.suffix}` : stem, 'texture')
        file = { path: `textures/${name}.${encoding === 'jpeg' ? 'jpg' : 'png'}` }
        files.set(key, file)
        noteChange(usable, encoding)
        running.push(make(usable, use, file, encoding))
      }
      return file.path
    },
    /**
     * Waits until all files are processed.
     * @returns false when images turned out to be unreadable: the caller must request all files again.
     */
    async finish(): Promise<boolean> {
      await Promise.all(running)
      running = []
      const more = failed.size - noted
      if (more === 0) return true
      noted = failed.size
      notes.leftOut(unreadable.code, unreadable.message, more)
      wanted = new Set()
      return false
    },
    entries: (): Entry[] =>
      [...files].flatMap(([key, { path, bytes }]) =>
        bytes && wanted.has(key) ? [{ name: path, parts: [bytes] }] : [],
      ),
  }
}
export type TextureFiles = ReturnType<typeof textureFiles>

/** Returns the reduced size of an image; undefined when no side is longer than `cap`. */
function cappedSize({ header: { width, height }, fixedSize }: UsableImage, cap: number): Size | undefined {
  const most = Math.max(width, height)
  if (fixedSize || most <= cap) return undefined
  const scaled = (side: number) => Math.max(1, Math.round((side * cap) / most))
  return { width: scaled(width), height: scaled(height) }
}
