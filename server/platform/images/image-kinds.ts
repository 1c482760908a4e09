/** An image format, detected from the first bytes; the sender's claim does not count. */
export type ImageKind = {
  name: string
  /** The name in the image library. */
  format: 'jpeg' | 'png' | 'gif' | 'webp' | 'heif'
  /** Extension of the output, a format that every browser shows. */
  extension: string
  begins: (head: Buffer) => boolean
}

/** Bytes needed to detect the format. */
export const KIND_BYTES = 64

const startsWith = (...bytes: number[]) => {
  const mark = Buffer.from(bytes)
  return (head: Buffer) => head.subarray(0, mark.length).equals(mark)
}

export const JPEG: ImageKind = {
  name: 'JPEG',
  format: 'jpeg',
  extension: 'jpg',
  begins: startsWith(0xff, 0xd8, 0xff),
}
export const PNG: ImageKind = {
  name: 'PNG',
  format: 'png',
  extension: 'png',
  begins: startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
}
export const GIF: ImageKind = {
  name: 'GIF',
  format: 'gif',
  extension: 'gif',
  begins: (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6)),
}
export const WEBP: ImageKind = {
  name: 'WebP',
  format: 'webp',
  extension: 'webp',
  begins: (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
}
/** HEIC is HEIF with HEVC, AVIF is HEIF with AV1. Few browsers show HEIC, so its output is a JPEG. */
export const HEIF: ImageKind = {
  name: 'HEIC/HEIF/AVIF',
  format: 'heif',
  extension: 'jpg',
  begins: (head) => brandsOf(head).some((brand) => HEIF_BRANDS.includes(brand)),
}

const HEIF_BRANDS = ['heic', 'heix', 'heim', 'heis', 'mif1', 'mif2', 'avif']

/** Whether an image that begins as HEIF is AV1, by its brands (AV1 Image File Format §6). */
export const isAv1 = (head: Buffer): boolean => brandsOf(head).includes('avif')

/** The major and compatible brands of an ISO base media file (ISO/IEC 14496-12 §4.3); empty for anything else. */
function brandsOf(head: Buffer): string[] {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [head.toString('latin1', 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4))
  return brands
}

/** `JPEG, PNG or WebP` */
export const namesOf = (kinds: ImageKind[]): string => {
  const names = kinds.map(({ name }) => name)
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
