/** The header of a supported KTX2 file: a 2D image in Basis Universal ETC1S or UASTC. */
export type Ktx2Header = {
  width: number
  height: number
  alpha: boolean
  /** Red and green only, with green in the alpha channel. */
  twoChannels: boolean
}

const headerLength = 80
const levelLength = 24
const descriptorLength = 44
/** Decoding needs two copies of the pixels: half a gigabyte. */
const maxPixels = 2 ** 26

/** Colour models and sample types of the Khronos Data Format Specification. */
const etc1s = 163
const uastc = 166
const rgba = 3
const red = 3
const green = 4
const redRedRedGreen = 5
const alphaSample = 15

const none = 0
const basisLz = 1
const zstandard = 2

/**
 * Reads and validates the header of a KTX2 file: the transcoder trusts both header and data. Source: "KTX File Format
 * Specification" 2.0 §3, KHR_texture_basisu.
 * @returns the reason, as part of a sentence, when the image is not supported.
 */
export function ktx2Header(bytes: Uint8Array): Ktx2Header | string {
  const broken = 'is cut off or damaged'
  if (bytes.length < headerLength + levelLength) return broken
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const word = (at: number) => view.getUint32(at, true)
  const long = (at: number) => Number(view.getBigUint64(at, true))
  const [format, width, height, depth, layers, faces] = [12, 20, 24, 28, 32, 36].map(word) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const levels = Math.max(1, word(40))
  const scheme = word(44)
  if (faces !== 1) return 'is a cube map'
  if (depth > 0 || height === 0) return 'is not a flat image'
  if (layers > 0) return 'is an array of images'
  if (width === 0 || width * height > maxPixels) return `has more than ${maxPixels} pixels`
  if (levels > 15 || headerLength + levels * levelLength > bytes.length) return broken

  const [descriptorAt, descriptorSize, globalAt, globalSize] = [word(48), word(52), long(64), long(72)]
  const fits = (at: number, size: number) => at + size <= bytes.length
  if (!fits(descriptorAt, descriptorSize) || descriptorSize < descriptorLength || !fits(globalAt, globalSize))
    return broken
  for (let level = 0; level < levels; level++) {
    const at = headerLength + level * levelLength
    if (!fits(long(at), long(at + 8))) return broken
  }

  const model = view.getUint8(descriptorAt + 12)
  const samples = Math.floor((descriptorSize - 28) / 16)
  const sample = (index: number) => view.getUint8(descriptorAt + 28 + index * 16 + 3) & 0x0f
  if (format !== 0 || (model !== etc1s && model !== uastc)) return 'is not in Basis Universal (ETC1S or UASTC)'
  if (model === etc1s) {
    if (scheme !== basisLz || globalSize === 0) return broken
    const twoChannels = samples > 1 && sample(0) === red && sample(1) === green
    return { width, height, alpha: samples > 1 && sample(1) === alphaSample, twoChannels }
  }
  const blocks = Math.ceil(width / 4) * Math.ceil(height / 4) * 16
  const size = scheme === zstandard ? long(headerLength + 16) : long(headerLength + 8)
  if ((scheme !== none && scheme !== zstandard) || size !== blocks) return broken
  return { width, height, alpha: sample(0) === rgba, twoChannels: sample(0) === redRedRedGreen }
}
