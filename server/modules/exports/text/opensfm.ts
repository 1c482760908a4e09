import type { Export, PlacedGcp } from '../schema.ts'
import { type Sighting, sightingsOf } from './sightings.ts'

/**
 * Points as OpenSfM's ground_control_points.json, in WGS84, each with the photos in which its tag was found. Altitudes are
 * heights above the ellipsoid; a point without one has none. Points without coordinates are left out. `notes`, which OpenSfM
 * ignores, names photos that do not show the tag of their point.
 */
export async function* opensfmOf({ batches, photosOf, otherPhotos }: Export): AsyncGenerator<string> {
  const notes: string[] = []
  const others = await otherPhotos()
  yield '{"points":['
  let separator = '\n'
  for await (const gcps of batches) {
    const placed = gcps.filter(({ latitude }) => latitude !== null)
    const uploads = await photosOf(placed.filter(({ photoUrls }) => photoUrls.length > 0).map(({ id }) => id))
    for (const gcp of placed) {
      const sightings = sightingsOf(gcp, uploads.get(gcp.id) ?? [], others.get(gcp.id) ?? [])
      yield separator + JSON.stringify(pointOf(gcp, sightings))
      separator = ',\n'
      for (const sighting of sightings)
        if (sighting.kind === 'unseen' && notes.length < MAX_NOTES)
          notes.push(`${sighting.photo} of ${gcp.title} ${sighting.why}`)
    }
  }
  yield `\n],"notes":${JSON.stringify(notes)}}\n`
}

const MAX_NOTES = 1000

function pointOf({ title, latitude, longitude, h }: PlacedGcp, sightings: Sighting[]) {
  return {
    id: title,
    position: { latitude, longitude, ...(h !== null && { altitude: h }) },
    observations: sightings.flatMap((sighting) =>
      sighting.kind === 'seen' ? [{ shot_id: sighting.photo, projection: projectionOf(sighting) }] : [],
    ),
  }
}

/** From the middle of the image, in lengths of its longer side (OpenSfM, `normalized_image_coordinates`). */
function projectionOf({ pixel: [x, y], width, height }: Extract<Sighting, { kind: 'seen' }>): [number, number] {
  const size = Math.max(width, height)
  return [(x + 0.5 - width / 2) / size, (y + 0.5 - height / 2) / size]
}
