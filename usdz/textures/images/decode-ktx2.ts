import type { Pixels } from '../../scene/materials/material.ts'
import type { Basis } from './basis.ts'
import { startTranscoder } from './basis-module.ts'
import type { Ktx2Header } from './ktx2-header.ts'

/** The transcoder format RGBA, 8 bits each. */
const rgba32 = 13

let started: Promise<Basis> | undefined

/**
 * Decodes the largest level of a KTX2 file (Basis Universal ETC1S or UASTC) to RGB, or to RGBA if it has alpha.
 * @throws when it cannot be decoded.
 */
export async function decodeKtx2(bytes: Uint8Array, header: Ktx2Header): Promise<Pixels> {
  started ??= startTranscoder()
  const basis = await started
  const { width, height } = header
  try {
    return toPixels(transcode(basis, bytes, width * height * 4), header)
  } catch (error) {
    // After a trap the module's memory is undefined: the next image gets a new module.
    if (error instanceof Error && error.name === 'RuntimeError') started = undefined
    throw error
  }
}

function transcode(basis: Basis, bytes: Uint8Array, size: number): Uint8Array {
  const file = new basis.KTX2File(bytes)
  try {
    if (!file.isValid() || !file.startTranscoding()) throw new Error('The transcoder does not support this KTX2 file.')
    const needed = file.getImageTranscodedSizeInBytes(0, 0, 0, rgba32)
    if (needed !== size) throw new Error('The size of the KTX2 image differs from its header.')
    const out = new Uint8Array(size)
    if (!file.transcodeImage(out, 0, 0, 0, rgba32, 0, -1, -1)) throw new Error('The KTX2 image is damaged.')
    return out
  } finally {
    file.close()
    file.delete()
  }
}

/** Converts transcoded pixels. Two-channel files store r in RGB and g in alpha. */
function toPixels(data: Uint8Array, { width, height, alpha, twoChannels }: Ktx2Header): Pixels {
  if (alpha) return { data, width, height, channels: 4 }
  const out = new Uint8Array(width * height * 3)
  for (let from = 0, to = 0; to < out.length; from += 4, to += 3) {
    out[to] = data[from]!
    out[to + 1] = data[from + (twoChannels ? 3 : 1)]!
    out[to + 2] = twoChannels ? 0 : data[from + 2]!
  }
  return { data: out, width, height, channels: 3 }
}
