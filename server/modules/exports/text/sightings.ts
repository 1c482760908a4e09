import type { ExportedPhoto, PlacedGcp } from '../schema.ts'

/** A photo of a point: where its tag is in it, or why it has no such place, or that nothing is known. */
export type Sighting = { photo: string } & (
  | { kind: 'seen'; pixel: readonly [number, number]; width: number; height: number }
  | { kind: 'unseen'; why: string }
  | { kind: 'unknown' }
)

/**
 * The photos of a point by their URLs, in order, then those of other points that show its tag. Uploaded photos are named as they
 * were uploaded; a photo that was uploaded for several points counts once.
 */
export function sightingsOf(gcp: PlacedGcp, uploads: ExportedPhoto[], others: ExportedPhoto[]): Sighting[] {
  const byUrl = new Map(uploads.map((upload) => [upload.fileUrl, upload]))
  const own = gcp.photoUrls.map((url): Sighting => {
    const upload = byUrl.get(url)
    return upload ? sightingIn(upload, gcp) : { photo: nameIn(url), kind: 'unknown' }
  })
  const sightings = new Map(others.map((other) => sightingIn(other, gcp)).map((one) => [one.photo, one]))
  for (const { photo } of own) sightings.delete(photo)
  return [...own, ...[...sightings.values()].filter(({ kind }) => kind === 'seen')]
}

function sightingIn({ fileName, tagCheck, tags, width, height }: ExportedPhoto, { aprilTagId }: PlacedGcp): Sighting {
  const photo = word(fileName) || 'none'
  if (aprilTagId === null || tagCheck === 'pending') return { photo, kind: 'unknown' }
  if (tagCheck === 'unreadable') return { photo, kind: 'unseen', why: 'cannot be read' }
  const [tag, another] = tags.filter(({ id }) => id === aprilTagId)
  if (another) return { photo, kind: 'unseen', why: `shows tag ${aprilTagId} more than once` }
  if (tag) return { photo, kind: 'seen', pixel: tag.center, width: width!, height: height! }
  const others = [...new Set(tags.map(({ id }) => id))].join(', ')
  return {
    photo,
    kind: 'unseen',
    why: others === '' ? `does not show tag ${aprilTagId}` : `shows tag ${others}, not tag ${aprilTagId}`,
  }
}

/** One word: white space becomes `_`. */
export const word = (text: string): string => text.trim().replace(/[\s\p{Cc}]+/gu, '_')

/** The file name at the end of a URL. */
function nameIn(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1)!
  try {
    return word(decodeURIComponent(last)) || 'none'
  } catch {
    return last || 'none'
  }
}
