import type { Export, PlacedGcp } from '../schema.ts'
import { remarks } from './header-comments.ts'

/**
 * Points as OpenDroneMap's gcp_list.txt: the system, then `x y z px py photo title` with x to the east and y to the north, a
 * line a photo. The position in a photo is not known: both are 0, to be set in a GCP editor, and a point without photos
 * has `none`. A missing height is NaN, as in ODM. Spaces in names become `_`, because they separate columns. Points
 * without coordinates are named in comments, which ODM skips.
 */
export async function* gcpListOf({ system, operations, batches }: Export): AsyncGenerator<string> {
  yield `${system?.name ?? 'EPSG:4326'}\n`
  yield remarks(system, operations)
    .map((line) => `# ${line}\n`)
    .join('')
  let heightOf: Height | undefined
  for await (const gcps of batches) {
    if (!heightOf) {
      // The kind of heights of the first points applies to all: two kinds would not be comparable.
      const isEllipsoid =
        gcps.some(({ h }) => h !== null) && gcps.every(({ h, altitude }) => h !== null || altitude === null)
      if (isEllipsoid) yield '# heights are above the ellipsoid\n'
      heightOf = isEllipsoid ? ({ h }) => h : ({ h, altitude }) => h ?? altitude
    }
    const height = heightOf
    yield gcps.map((gcp) => lines(gcp, height(gcp))).join('')
  }
}

type Height = (gcp: PlacedGcp) => number | null

function lines({ title, x, y, photoUrls }: PlacedGcp, height: number | null): string {
  const name = word(title)
  if (x === null) return `# ${name} has no coordinates\n`
  const place = `${x} ${y} ${height ?? 'NaN'} 0 0`
  const photos = photoUrls.length > 0 ? photoUrls.map(photoName) : ['none']
  return photos.map((photo) => `${place} ${photo} ${name}\n`).join('')
}

/** One word: white space becomes `_`. */
const word = (text: string): string => text.trim().replace(/[\s\p{Cc}]+/gu, '_')

/** The file name at the end of a URL. */
function photoName(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1)!
  try {
    return word(decodeURIComponent(last)) || 'none'
  } catch {
    return last || 'none'
  }
}
