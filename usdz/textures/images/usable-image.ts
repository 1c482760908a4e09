import { createHash } from 'node:crypto'
import type { NoteCode } from '../../note-codes.ts'
import type { Pixels, SourceImage } from '../../scene/materials/material.ts'
import { probe } from './codec.ts'
import { decodeKtx2 } from './decode-ktx2.ts'
import { type ImageHeader, imageHeader } from './image-header.ts'
import { ktx2Header } from './ktx2-header.ts'

/** A usable image: its header, the source of its pixels, and a key shared by equal images. */
export type UsableImage = { name: string; hash: string; header: ImageHeader; fixedSize?: boolean } & (
  | { bytes: Uint8Array; render?: undefined }
  | { bytes?: undefined; render(): Promise<Pixels> }
)
/** The note for an image that cannot be used. */
type Refusal = { code: NoteCode; message: string }

export const unreadable: Refusal = {
  code: 'texture_unreadable',
  message: 'Textures whose image cannot be read are left out.',
}

/**
 * Inspects an image without decoding it, or the one that replaces it if it cannot be used. Only bytes of the supported
 * formats reach a decoder.
 */
export async function inspectImage(image: SourceImage): Promise<UsableImage | Refusal> {
  const found = await inspectOne(image)
  const other = 'fallback' in image ? image.fallback : undefined
  return 'code' in found && other ? await inspectImage(other) : found
}

async function inspectOne(image: SourceImage): Promise<UsableImage | Refusal> {
  if ('render' in image) {
    const { name, key, width, height, alpha, lossy, fixedSize = false, render } = image
    const kind = lossy ? 'jpeg' : 'png'
    return { name, hash: key, header: { kind, width, height, alpha, plain: false }, fixedSize, render }
  }
  const { name, bytes } = image
  if (!bytes || bytes.length === 0) {
    return { code: 'texture_missing', message: 'Textures whose image is not in the file are left out.' }
  }
  const header = imageHeader(bytes)
  const hash = createHash('sha1').update(bytes).digest('hex')
  if (header.kind === 'other') {
    return { code: 'texture_format', message: 'Textures that are not JPEG, PNG, WebP, AVIF or KTX2 are left out.' }
  }
  if (header.kind === 'ktx2') {
    const found = ktx2Header(bytes)
    if (typeof found === 'string') {
      return { code: 'texture_ktx2', message: `Textures whose KTX2 image ${found} are left out.` }
    }
    const { width, height, alpha } = found
    const whole = { ...header, width, height, alpha }
    return { name, hash, header: whole, render: () => decodeKtx2(bytes, found) }
  }
  if (header.kind === 'jpeg' || header.kind === 'png') return { name, hash, header, bytes }
  try {
    return { name, hash, header: { ...header, ...(await probe(bytes)) }, bytes }
  } catch {
    return unreadable
  }
}
