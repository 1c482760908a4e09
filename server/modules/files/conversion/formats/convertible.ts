import { invalid } from '../../../../platform/errors.ts'
import { type FileType, GLB, OBJ, PLY, STL, USDZ } from '../../../../platform/storage/types/file-types.ts'
import type { ConversionOptions } from '../schema.ts'

type Format = Pick<ConversionOptions, 'format'>

/** The types that are converted to USDZ. */
export const CONVERTIBLE = [GLB, PLY, OBJ, STL]

/** Whether conversions in this direction, by default to USDZ, read such a file. */
export const isConvertible = ({ mimeType }: { mimeType: string }, { format }: Format = {}): boolean =>
  (format === 'glb' ? [USDZ] : CONVERTIBLE).some((type) => type.mimeType === mimeType)

/** The type that a conversion with these options writes. */
export const resultType = ({ format }: Format = {}): FileType => (format === 'glb' ? GLB : USDZ)

/** Refuses `format=glb` for a file that is no USDZ. @throws 400 */
export function assertSource(file: { fileName: string; mimeType: string }, { format }: Format): void {
  if (format !== 'glb' || isConvertible(file, { format })) return
  const { fileName, mimeType } = file
  const hint = mimeType === 'application/zip' ? ', and its first file is no uncompressed USD layer' : ''
  const message = `can be glb only for a USDZ; "${fileName}" is ${mimeType}${hint}`
  throw invalid([{ code: 'custom', message, path: ['format'] }])
}

/** The media types of files that have a page in AR. */
export const AR_TYPES: string[] = [...CONVERTIBLE, USDZ].map(({ mimeType }) => mimeType)
