import { GLB, OBJ, PLY, STL, USDZ } from '../../../../platform/storage/types/file-types.ts'

/** The types that are converted to USDZ. */
export const CONVERTIBLE = [GLB, PLY, OBJ, STL]

export const isConvertible = ({ mimeType }: { mimeType: string }): boolean =>
  CONVERTIBLE.some((type) => type.mimeType === mimeType)

/** The media types of files that have a page in AR. */
export const AR_TYPES: string[] = [...CONVERTIBLE, USDZ].map(({ mimeType }) => mimeType)
