import { latin1 } from '../../bytes.ts'
/** Image properties read from the header, without decoding. */
export type ImageHeader = {
  kind: 'jpeg' | 'png' | 'webp' | 'avif' | 'ktx2' | 'other'
  width: number
  height: number
  alpha: boolean
  /** Whether viewers support the file unchanged: a JPEG (not CMYK) or PNG. */
  plain: boolean
}

const unknown = { width: 0, height: 0, alpha: false, plain: false }

/** Reads the header of an image. The media type declared by a model is often wrong. */
export function imageHeader(bytes: Uint8Array): ImageHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = (from: number, to: number) => latin1(bytes.subarray(from, to))
  if (text(0, 8) === '\x89PNG\r\n\x1a\n' && bytes.length >= 33) return pngHeader(view, text)
  if (text(0, 2) === '\xff\xd8') return jpegHeader(view)
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return { kind: 'webp', ...unknown }
  if (text(4, 8) === 'ftyp' && /avi[fs]/.test(text(8, 32))) return { kind: 'avif', ...unknown }
  if (text(1, 7) === 'KTX 20') return { kind: 'ktx2', ...unknown }
  return { kind: 'other', ...unknown }
}

/** PNG specification §11: IHDR is the first chunk; a palette or colour key has its alpha in tRNS, before the data. */
function pngHeader(view: DataView, text: (from: number, to: number) => string): ImageHeader {
  const colorType = view.getUint8(25)
  let alpha = colorType === 4 || colorType === 6
  for (let at = 8; !alpha && at + 8 <= view.byteLength && text(at + 4, at + 8) !== 'IDAT'; ) {
    alpha = text(at + 4, at + 8) === 'tRNS'
    at += 12 + view.getUint32(at)
  }
  return { kind: 'png', width: view.getUint32(16), height: view.getUint32(20), alpha, plain: true }
}

/** JPEG (ITU T.81 §B.2.2): the size and number of components are in the first start-of-frame segment. */
function jpegHeader(view: DataView): ImageHeader {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) break
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) {
      const plain = view.getUint8(at + 9) !== 4
      return { kind: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5), alpha: false, plain }
    }
    const standsAlone = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
    at += marker === 0xff ? 1 : standsAlone ? 2 : 2 + view.getUint16(at + 2)
  }
  return { kind: 'other', ...unknown }
}
