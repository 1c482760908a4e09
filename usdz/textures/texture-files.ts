import { createHash } from 'node:crypto'
import { tooLarge } from '../errors.ts'
import type { Entry } from '../package/zip.ts'
import type { NoteBook } from '../report.ts'
import type { SourceImage } from '../scene/material.ts'
import { nameGiver } from '../scene/names.ts'
import { type ImageHeader, imageHeader } from './image-header.ts'
import type { PixelEdit } from './pixel-edits.ts'
import { type Encoding, probe, rewrite } from './rewrite.ts'

/** An image that can be used: what it is, and a key that equal bytes share. */
export type UsableImage = { image: SourceImage; bytes: Uint8Array; hash: string; header: ImageHeader }

/** What a surface does with an image. */
export type ImageUse = { edit: PixelEdit | undefined; colorSpace: 'sRGB' | 'raw'; readsAlpha: boolean }

/**
 * The image files of one package. JPEG and PNG pass through byte for byte unless pixels must change; equal files are
 * kept once. What cannot be used is noted and left out.
 */
export function textureFiles(maxPixels: number, notes: NoteBook) {
  const giveName = nameGiver()
  const inspected = new Map<SourceImage, Promise<UsableImage | undefined>>()
  const counted = new Set<string>()
  const files = new Map<string, { path: string; bytes: Uint8Array } | undefined>()
  let pixels = 0

  const inspect = async (image: SourceImage): Promise<UsableImage | undefined> => {
    const { bytes } = image
    if (!bytes || bytes.length === 0) {
      notes.add('texture_missing', 'Textures whose image is not in the GLB are left out.')
      return undefined
    }
    const header = await completeHeader(bytes)
    if (!header) {
      const kind = imageHeader(bytes).kind
      if (kind === 'ktx2')
        notes.add('texture_ktx2', 'Textures in KTX2 (Basis Universal) cannot be read and are left out.')
      else if (kind === 'other')
        notes.add('texture_format', 'Textures that are not JPEG, PNG, WebP or AVIF are left out.')
      else notes.add('texture_unreadable', 'Textures whose image cannot be read are left out.')
      return undefined
    }
    const hash = createHash('sha1').update(bytes).digest('hex')
    if (!counted.has(hash)) {
      counted.add(hash)
      pixels += header.width * header.height
    }
    if (pixels > maxPixels) throw tooLarge(`The textures of the model have more than ${maxPixels} pixels.`)
    return { image, bytes, hash, header }
  }

  const make = async (usable: UsableImage, { edit, colorSpace, readsAlpha }: ImageUse) => {
    const { header, image } = usable
    // What JPEG loses would show in data, and it has no alpha.
    const keepExact = colorSpace === 'raw' || readsAlpha
    const asIs = header.plain && !edit
    const encoding: Encoding = header.kind === 'jpeg' || (header.kind !== 'png' && !keepExact) ? 'jpeg' : 'png'
    const path = `textures/${giveName(image.name.replace(/^.*[/\\]|\.\w+$/g, ''), 'texture')}`
    const extension = encoding === 'jpeg' ? 'jpg' : 'png'
    try {
      const bytes = asIs ? usable.bytes : await rewrite(usable.bytes, edit, encoding)
      if (!asIs && !edit) notes.add('texture_reencoded', `Textures in ${header.kind} are re-encoded as ${extension}.`)
      return { path: `${path}.${extension}`, bytes }
    } catch {
      notes.add('texture_unreadable', 'Textures whose image cannot be read are left out.')
      return undefined
    }
  }

  return {
    /** What an image is; undefined (and noted) when it cannot be used. */
    inspect(image: SourceImage): Promise<UsableImage | undefined> {
      const known = inspected.get(image) ?? inspect(image)
      inspected.set(image, known)
      return known
    },
    /**
     * Puts an image into the package, once for each use. An image that is both colour and data becomes two files:
     * viewers that keep one texture a file would show one of them in the wrong colour space.
     * @returns its path in the package; undefined (and noted) when it turns out unreadable.
     */
    async file(usable: UsableImage, use: ImageUse): Promise<string | undefined> {
      const key = [usable.hash, use.edit?.key, use.colorSpace, use.readsAlpha && !usable.header.plain].join(' ')
      if (!files.has(key)) files.set(key, await make(usable, use))
      return files.get(key)?.path
    },
    entries: (): Entry[] =>
      [...files.values()].flatMap((file) => (file ? [{ name: file.path, parts: [file.bytes] }] : [])),
  }
}
export type TextureFiles = ReturnType<typeof textureFiles>

/** Undefined when it cannot be used. Bytes of any other kind than those named here reach no decoder. */
async function completeHeader(bytes: Uint8Array): Promise<ImageHeader | undefined> {
  const header = imageHeader(bytes)
  if (header.kind === 'ktx2' || header.kind === 'other') return undefined
  if (header.kind === 'jpeg' || header.kind === 'png') return header
  try {
    return { ...header, ...(await probe(bytes)) }
  } catch {
    return undefined
  }
}
