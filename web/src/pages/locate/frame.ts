/** Draws an image as a JPEG whose EXIF has a focal length for 35 mm film: the service takes one from EXIF as inexact. */
export async function frameOf(
  source: CanvasImageSource,
  size: { width: number; height: number },
  focalLength35: number,
): Promise<Blob> {
  const canvas = new OffscreenCanvas(size.width, size.height)
  canvas.getContext('2d')!.drawImage(source, 0, 0)
  const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 })
  return new Blob([jpeg.slice(0, 2), exifOf(focalLength35), jpeg.slice(2)], { type: 'image/jpeg' })
}

const EXIF_IFD = 0x8769
const FOCAL_LENGTH_35 = 0xa405
const [SHORT, LONG] = [3, 4]

/** An APP1 segment with one tag (CIPA DC-008, 4.5 and 4.6): a TIFF header, IFD 0 at 8, and the Exif IFD at 26. */
function exifOf(focalLength35: number): Uint8Array<ArrayBuffer> {
  const segment = new Uint8Array(54)
  segment.set([0xff, 0xe1, 0, 52, ...new TextEncoder().encode('Exif\0\0MM\0*')])
  const tiff = new DataView(segment.buffer, 10)
  const entry = (at: number, tag: number, type: number) => {
    tiff.setUint16(at, 1)
    tiff.setUint16(at + 2, tag)
    tiff.setUint16(at + 4, type)
    tiff.setUint32(at + 6, 1)
  }
  tiff.setUint32(4, 8)
  entry(8, EXIF_IFD, LONG)
  tiff.setUint32(18, 26)
  entry(26, FOCAL_LENGTH_35, SHORT)
  tiff.setUint16(36, focalLength35)
  return segment
}
