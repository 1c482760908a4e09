import type { ExportedPhoto } from './schema.ts'

/** A point of a zone that carries a tag. */
export type TaggedPoint = { id: number; aprilTagId: number; hasPhotos: boolean }

type Zone = {
  /** Its points with a tag, in batches. */
  taggedPoints: () => AsyncIterable<TaggedPoint[]>
  photosOf: (gcpIds: number[]) => Promise<Map<number, ExportedPhoto[]>>
}

/** More are left out: they take memory. */
const MAX_PHOTOS = 20_000

/**
 * Photos of other points of a zone that show the tag of a point, by the ID of that point: a photo from the air shows the tags of
 * several. Only photos that show the tag of their own point count, and only tags that one point of the zone carries.
 */
export async function otherPhotosIn({ taggedPoints, photosOf }: Zone): Promise<Map<number, ExportedPhoto[]>> {
  const carriers = new Map<number, number | null>()
  for await (const points of taggedPoints())
    for (const { id, aprilTagId } of points) carriers.set(aprilTagId, carriers.has(aprilTagId) ? null : id)
  const shownBy = new Map<number, ExportedPhoto[]>()
  if (carriers.size < 2) return shownBy
  let count = 0
  for await (const points of taggedPoints()) {
    const photos = await photosOf(points.filter(({ hasPhotos }) => hasPhotos).map(({ id }) => id))
    for (const { id, aprilTagId } of points)
      for (const photo of photos.get(id) ?? [])
        for (const other of photo.tagCheck === 'match' ? new Set(photo.tags.map((tag) => tag.id)) : []) {
          const carrier = carriers.get(other)
          if (other === aprilTagId || carrier == null || ++count > MAX_PHOTOS) continue
          const shown = shownBy.get(carrier)
          if (shown) shown.push(photo)
          else shownBy.set(carrier, [photo])
        }
  }
  return shownBy
}
