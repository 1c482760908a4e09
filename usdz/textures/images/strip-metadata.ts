import { joined, latin1 } from '../../bytes.ts'
/**
 * Removes colour profile, gamma and orientation from an image without changing its pixels: glTF ignores them (§3.9.2),
 * but many image loaders do not. Returns the same bytes when there are none.
 */
export function stripColorMetadata(bytes: Uint8Array, kind: string): Uint8Array {
  const spans = kind === 'jpeg' ? jpegSpans(bytes) : kind === 'png' ? pngSpans(bytes) : undefined
  if (!spans || spans.length === 0) return bytes
  const parts: Uint8Array[] = []
  let at = 0
  for (const [start, end] of spans) {
    parts.push(bytes.subarray(at, start))
    at = end
  }
  return joined([...parts, bytes.subarray(at)])
}

type Span = [start: number, end: number]

/** JPEG (ITU T.81 §B.2): the Exif (APP1) and profile (APP2) segments before the first scan. */
function jpegSpans(bytes: Uint8Array): Span[] {
  const spans: Span[] = []
  const startsWith = (at: number, text: string) => latin1(bytes.subarray(at, at + text.length)) === text
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at++
      continue
    }
    const end = at + 2 + bytes[at + 2]! * 256 + bytes[at + 3]!
    if (marker === 0xda || marker === 0xd9 || end > bytes.length) break
    const isExif = marker === 0xe1 && startsWith(at + 4, 'Exif\0')
    const isProfile = marker === 0xe2 && startsWith(at + 4, 'ICC_PROFILE\0')
    if (isExif || isProfile) spans.push([at, end])
    at = end
  }
  return spans
}

const pngProfileChunks = new Set(['iCCP', 'gAMA', 'cHRM', 'eXIf', 'cICP'])

/** PNG specification §5.3: a chunk is length, type, data and CRC. */
function pngSpans(bytes: Uint8Array): Span[] {
  const spans: Span[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 12 <= bytes.length; ) {
    const type = latin1(bytes.subarray(at + 4, at + 8))
    const end = at + 12 + view.getUint32(at)
    if (end > bytes.length) break
    if (pngProfileChunks.has(type)) spans.push([at, end])
    at = end
  }
  return spans
}
