import type { Pixels } from '../../scene/materials/material.ts'
import type { Change, Encoding, ImageSource, Size } from '../../textures/images/codec.ts'
import { imageHeader } from '../../textures/images/image-header.ts'
import { stripColorMetadata } from '../../textures/images/strip-metadata.ts'
import { encodePng } from './encode-png.ts'
import { readBitmap } from './read-bitmap.ts'

/** Images by the decoders of the browser; the counterpart of `textures/images/codec.ts`. */

/** The browser has its decoders already. */
export const loadCodec = async (): Promise<void> => {}

/**
 * Returns the size and alpha of an image file.
 * @throws when it cannot be decoded.
 */
export async function probe(bytes: Uint8Array): Promise<Size & { alpha: boolean }> {
  const { width, height, data } = await decode({ bytes, alpha: true })
  let alpha = false
  for (let at = 3; at < data.length && !alpha; at += 4) alpha = data[at]! < 255
  return { width, height, alpha }
}

/**
 * Decodes an image to RGB, or to RGBA if it has alpha. Orientation and colour profile are ignored, as glTF requires.
 * @throws when it cannot be decoded.
 */
export async function decode(source: ImageSource, { size, dropAlpha = false }: Change = {}): Promise<Pixels> {
  const isRaw = 'data' in source
  const channels = dropAlpha ? 3 : isRaw ? source.channels : source.alpha ? 4 : 3
  if (isRaw && !size) return withChannels(source, channels)
  const bitmap = await createImageBitmap(isRaw ? imageData(source) : fileOf(source.bytes), {
    premultiplyAlpha: 'none',
    colorSpaceConversion: 'none',
    ...(size && { resizeWidth: size.width, resizeHeight: size.height, resizeQuality: 'high' }),
  })
  try {
    const { width, height } = bitmap
    return withChannels({ data: readBitmap(bitmap), width, height, channels: 4 }, channels)
  } finally {
    bitmap.close()
  }
}

/**
 * Decodes an image, and encodes it in another format or size.
 * @throws when it cannot be decoded.
 */
export async function recode(source: ImageSource, change: Change, encoding: Encoding): Promise<Uint8Array> {
  return await encode(await decode(source, change), encoding)
}

/** Encodes pixels. Below their highest quality, the JPEG encoders of browsers halve the resolution of colours. */
export async function encode(pixels: Pixels, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'png') return await encodePng(pixels)
  const canvas = new OffscreenCanvas(pixels.width, pixels.height)
  canvas.getContext('2d')!.putImageData(imageData(withChannels(pixels, 3)), 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 1 })
  return new Uint8Array(await blob.arrayBuffer())
}

/** A file without the orientation, which browsers apply. */
function fileOf(bytes: Uint8Array): Blob {
  return new Blob([stripColorMetadata(bytes, imageHeader(bytes).kind) as BlobPart])
}

function imageData(pixels: Pixels): ImageData {
  const { data } = withChannels(pixels, 4)
  const clamped = new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.length)
  return new ImageData(clamped, pixels.width, pixels.height)
}

/** Copies pixels with another number of channels: grey becomes all colours, a missing alpha is opaque. */
function withChannels({ data, width, height, channels }: Pixels, wanted: Pixels['channels']): Pixels {
  const out = new Uint8Array(width * height * wanted)
  for (let from = 0, to = 0; to < out.length; from += channels, to += wanted) {
    for (let k = 0; k < wanted; k++) {
      out[to + k] = k === 3 && channels !== 4 ? 255 : data[from + (channels === 1 ? 0 : k)]!
    }
  }
  return { data: out, width, height, channels: wanted }
}
