import { fileTypeFromBuffer } from 'file-type'
import { GIF, HEIF, JPEG, PNG, WEBP } from '../../../platform/images/image-kinds.ts'
import { isObj, isPly } from '../../../platform/storage/types/mesh-types.ts'
import { spzPoints } from './spz.ts'

/** How a file is read. `other` is kept without being read. */
export type Kind = 'glb' | 'usdz' | 'ply' | 'obj' | 'image' | 'heif' | 'las' | 'e57' | 'spz' | 'video' | 'other'

/** Bytes that `kindOf` needs, unless the file is shorter. */
export const HEAD_BYTES = 4100

const IMAGES = [JPEG, PNG, GIF, WEBP]

/** Detects the type of a file by its first bytes, not by its name or declared type. */
export async function kindOf(head: Buffer): Promise<Kind> {
  const text = (from: number, to: number) => head.toString('latin1', from, to)
  if (text(0, 4) === 'glTF') return 'glb'
  if (isUsdz(head)) return 'usdz'
  if (isPly(head)) return 'ply'
  if (text(0, 4) === 'LASF') return 'las'
  if (text(0, 8) === 'ASTM-E57') return 'e57'
  if (IMAGES.some(({ begins }) => begins(head))) return 'image'
  if (HEIF.begins(head)) return 'heif'
  if (isObj(head, head.length >= HEAD_BYTES)) return 'obj'
  if (head.length >= 16 && spzPoints(head) !== undefined) return 'spz'
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime.startsWith('video/') ? 'video' : 'other'
}

/** A ZIP whose first entry is an uncompressed USD layer (ZIP local file header: method at 8, name length at 26, name at 30). */
function isUsdz(head: Buffer): boolean {
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04034b50 || head.readUInt16LE(8) !== 0) return false
  return /\.usd[ac]?$/i.test(head.toString('latin1', 30, 30 + head.readUInt16LE(26)))
}
