import { GLB, OBJ, PLY, STL } from '../../../../platform/storage/types/file-types.ts'

/** The types that are converted to USDZ. */
export const CONVERTIBLE = [GLB, PLY, OBJ, STL]

export const isConvertible = ({ mimeType }: { mimeType: string }): boolean =>
  CONVERTIBLE.some((type) => type.mimeType === mimeType)
