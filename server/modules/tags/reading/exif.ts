import ExifReader from 'exifreader'
import { shotOf } from '../../scans/reading/exif.ts'
import type { PhotoExif } from './photo-facts.ts'

/** Place, time and focal length of a photo (CIPA DC-008); null if it has none of them. */
export function exifOf(photo: Uint8Array): PhotoExif | null {
  const { position, capturedAt } = shotOf(photo)
  const exif = {
    lat: position?.lat ?? null,
    lon: position?.long ?? null,
    h: position?.altitude ?? null,
    takenAt: capturedAt,
    focalLength35: focalLength35Of(photo),
  }
  return Object.values(exif).every((value) => value === null) ? null : exif
}

/** 0 stands for unknown. */
function focalLength35Of(photo: Uint8Array): number | null {
  try {
    const bytes = Buffer.from(photo.buffer, photo.byteOffset, photo.byteLength)
    const { exif } = ExifReader.load(bytes, { expanded: true, includeTags: { exif: true } })
    const length = Number(exif?.FocalLengthIn35mmFilm?.value)
    return length > 0 && length < 65_536 ? length : null
  } catch {
    return null
  }
}
