import { DamagedGrid, type FileBytes, withBytes } from './formats/bytes.ts'
import { checkGeoTiff } from './formats/geotiff.ts'
import { checkGtx } from './formats/gtx.ts'
import { checkNtv2 } from './formats/ntv2.ts'

const checks: Record<string, (bytes: FileBytes) => void> = {
  tif: checkGeoTiff,
  tiff: checkGeoTiff,
  gsb: checkNtv2,
  gtx: checkGtx,
}

/**
 * The reason why a grid file cannot be used, as the end of a sentence, or undefined. PROJ reads truncated files without an
 * error: this compares the headers with the size of the file. Does not read nodes.
 */
export function gridFileError(path: string): string | undefined {
  try {
    withBytes(path, (bytes) => {
      if (bytes.size === 0) throw new DamagedGrid('it is empty')
      checks[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]?.(bytes)
    })
    return undefined
  } catch (error) {
    if (error instanceof DamagedGrid) return error.message
    const { code } = error as NodeJS.ErrnoException
    return code === 'EACCES' || code === 'ERR_ACCESS_DENIED'
      ? 'the service may not read it'
      : `it cannot be read (${code})`
  }
}
