import { fileTypeFromBuffer } from 'file-type'
import { GIF, HEIF, JPEG, PNG, WEBP } from '../../../platform/images/image-kinds.ts'
import { spzPoints } from './spz.ts'

/** How a file is read. `other` is kept without being read. */
export type Kind = 'glb' | 'usdz' | 'ply' | 'obj' | 'image' | 'heif' | 'las' | 'e57' | 'spz' | 'video' | 'other'

/** Bytes that `kindOf` needs, unless the file is shorter. */
export const HEAD_BYTES = 4100

const IMAGES = [JPEG, PNG, GIF, WEBP]
/** Statements of Wavefront OBJ, including comments. */
const OBJ_LINE = /^(?:#.*|(?:v|vt|vn|f|l|p|o|g|s|usemtl|mtllib|vp)\s.*|\s*)$/

/** Detects the type of a file by its first bytes, not by its name or declared type. */
export async function kindOf(head: Buffer): Promise<Kind> {
  const text = (from: number, to: number) => head.toString('latin1', from, to)
  if (text(0, 4) === 'glTF') return 'glb'
  if (isUsdz(head)) return 'usdz'
  if (/^ply\r?\n/.test(text(0, 5))) return 'ply'
  if (text(0, 4) === 'LASF') return 'las'
  if (text(0, 8) === 'ASTM-E57') return 'e57'
  if (IMAGES.some(({ begins }) => begins(head))) return 'image'
  if (HEIF.begins(head)) return 'heif'
  if (isObj(head)) return 'obj'
  if (head.length >= 16 && spzPoints(head) !== undefined) return 'spz'
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime.startsWith('video/') ? 'video' : 'other'
}

/** A ZIP whose first entry is an uncompressed USD layer (ZIP local file header: method at 8, name length at 26, name at 30). */
function isUsdz(head: Buffer): boolean {
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04034b50 || head.readUInt16LE(8) !== 0) return false
  return /\.usd[ac]?$/i.test(head.toString('latin1', 30, 30 + head.readUInt16LE(26)))
}

/** OBJ has no signature: its first lines are all statements, and one is a vertex, a library or an object. */
function isObj(head: Buffer): boolean {
  const text = head.toString('latin1')
  if (text.includes('\0')) return false
  // A backslash continues a line.
  const lines = text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)
  // The last line may be incomplete.
  if (head.length >= HEAD_BYTES) lines.pop()
  return lines.every((line) => OBJ_LINE.test(line)) && lines.some((line) => /^(?:v\s+[-+.\d]|mtllib\s|o\s)/.test(line))
}
