import type { Export, PlacedGcp } from '../schema.ts'
import { remarks } from './header-comments.ts'
import { type Sighting, sightingsOf, word } from './sightings.ts'

/**
 * Points as OpenDroneMap's gcp_list.txt: the system, then `x y z px py photo title` with x to the east and y to the north, a
 * line a photo. The pixel is that of the tag of the point, whose centre of the top left pixel is 0 0. Photos in which the tag
 * was not found are named in comments, which ODM skips. Where nothing is known of a photo, the pixel is 0 0, to be set in a GCP
 * editor, and a point without photos has `none`. A missing height is NaN, as in ODM. Spaces in names become `_`, because they
 * separate columns. Points without coordinates are named in comments.
 */
export async function* gcpListOf({
  system,
  operations,
  batches,
  photosOf,
  otherPhotos,
}: Export): AsyncGenerator<string> {
  yield `${system?.name ?? 'EPSG:4326'}\n`
  yield remarks(system, operations)
    .map((line) => `# ${line}\n`)
    .join('')
  let heightOf: Height | undefined
  const others = await otherPhotos()
  for await (const gcps of batches) {
    if (!heightOf) {
      // The kind of heights of the first points applies to all: two kinds would not be comparable.
      const isEllipsoid =
        gcps.some(({ h }) => h !== null) && gcps.every(({ h, altitude }) => h !== null || altitude === null)
      if (isEllipsoid) yield '# heights are above the ellipsoid\n'
      heightOf = isEllipsoid ? ({ h }) => h : ({ h, altitude }) => h ?? altitude
    }
    const height = heightOf
    const uploads = await photosOf(gcps.filter(({ photoUrls }) => photoUrls.length > 0).map(({ id }) => id))
    yield gcps
      .map((gcp) => lines(gcp, height(gcp), sightingsOf(gcp, uploads.get(gcp.id) ?? [], others.get(gcp.id) ?? [])))
      .join('')
  }
}

type Height = (gcp: PlacedGcp) => number | null

function lines({ title, x, y }: PlacedGcp, height: number | null, sightings: Sighting[]): string {
  const name = word(title)
  if (x === null) return `# ${name} has no coordinates\n`
  const lineOf = (pixel: readonly [number, number], photo: string) =>
    `${x} ${y} ${height ?? 'NaN'} ${pixel.join(' ')} ${photo} ${name}\n`
  const isNamed = sightings.some(({ kind }) => kind !== 'unseen')
  const each = sightings.map((sighting) => {
    if (sighting.kind === 'unseen') return `# ${sighting.photo} of ${name} ${sighting.why}\n`
    return lineOf(sighting.kind === 'seen' ? sighting.pixel : [0, 0], sighting.photo)
  })
  return [...each, ...(isNamed ? [] : [lineOf([0, 0], 'none')])].join('')
}
