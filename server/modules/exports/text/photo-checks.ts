import type { UploadedFile } from '../../photos/schema.ts'
import type { Export, ExportedPhoto, PlacedGcp } from '../schema.ts'

type TagCheck = UploadedFile['tagCheck']

/** What the uploaded photos of a point show together. */
type PhotoCheck = {
  /** The worst of them; null without uploaded photos. */
  tagCheck: TagCheck | null
  /** Metres from the point to the place of the photo that is farthest away; null if no photo has a place. */
  distanceToGcp: number | null
  /** What to correct, with the name of the photo. */
  photoNotes: string[]
}
export type CheckedGcp = PlacedGcp & PhotoCheck

/** What needs attention first. */
const WORST: TagCheck[] = ['mismatch', 'unreadable', 'none', 'pending', 'match']

/** The points with what their photos show. Points without photos are not looked up. */
export async function* withChecks({ batches, photosOf }: Pick<Export, 'batches' | 'photosOf'>) {
  for await (const gcps of batches) {
    const photographed = gcps.filter(({ photoUrls }) => photoUrls.length > 0).map(({ id }) => id)
    const photos = photographed.length > 0 ? await photosOf(photographed) : new Map<number, ExportedPhoto[]>()
    yield gcps.map((gcp): CheckedGcp => ({ ...gcp, ...checkOf(photos.get(gcp.id) ?? []) }))
  }
}

function checkOf(photos: ExportedPhoto[]): PhotoCheck {
  const distances = photos.flatMap(({ exif }) => exif?.distanceToGcp ?? [])
  return {
    tagCheck: WORST.find((worst) => photos.some(({ tagCheck }) => tagCheck === worst)) ?? null,
    distanceToGcp: distances.length > 0 ? Math.max(...distances) : null,
    photoNotes: photos.flatMap(({ fileName, notes }) => notes.map((note) => `${fileName}: ${note}`)),
  }
}
