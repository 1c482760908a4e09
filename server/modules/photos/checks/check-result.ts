import { distance } from '../../places/geodesy.ts'
import { placedTag } from '../corners/quadrilateral.ts'
import type { PhotoCheckResult } from '../schema.ts'
import type { CheckRow, PhotoRow, PlacedRow } from '../store.ts'

/** Below, edges are spread over so many pixels that tags of a usual size cannot be read. */
export const BLURRED = 0.35
export const DARK = 0.12
export const BRIGHT = 0.9
/** Pixels of a side, below which a tag is found only in sharp photos, and its centre is less accurate. */
const SMALL = 30
/** Metres: receivers of phones may be that far off. */
const FAR = 200

type Known = Pick<PhotoRow, 'check' | 'placed' | 'gcpId' | 'aprilTagId' | 'latitude' | 'longitude'>

/** What a photo whose check has not ended shows. */
export const PENDING: PhotoCheckResult = {
  tags: [],
  tagCheck: 'pending',
  width: null,
  height: null,
  exif: null,
  quality: null,
  notes: [],
}

/** What a photo shows, compared with its point as it is now. */
export function checkResultOf({ check, placed, ...point }: Known): PhotoCheckResult {
  if (!check || check.state === 'pending') return PENDING
  if (check.state === 'unreadable') return { ...PENDING, tagCheck: 'unreadable', notes: [check.problem!] }
  const { width, height } = check
  const tags = tagsOf(check, placed)
  const exif = check.exif && { ...check.exif, distanceToGcp: distanceOf(check.exif, point) }
  const quality = { sharpness: check.sharpness!, exposure: check.exposure! }
  const tagCheck = tagCheckOf(tags, point)
  const notes = [...tagNotes(tagCheck, { tags, quality }, point), ...placeNotes(exif)]
  return { tags, tagCheck, width, height, exif, quality, notes }
}

type Point = Omit<Known, 'check' | 'placed'>

/** The tags that the check found. One that was placed by hand replaces those with its ID. */
function tagsOf({ tags }: CheckRow, placed: PlacedRow | null): PhotoCheckResult['tags'] {
  const found = tags.filter(({ id }) => id !== placed?.aprilTagId)
  return [...found.map((tag) => ({ ...tag, source: 'detector' as const })), ...(placed ? [placedTag(placed)] : [])]
}

function tagCheckOf(tags: PhotoCheckResult['tags'], { aprilTagId }: Point): PhotoCheckResult['tagCheck'] {
  if (aprilTagId === null || tags.length === 0) return 'none'
  return tags.some(({ id }) => id === aprilTagId) ? 'match' : 'mismatch'
}

function tagNotes(
  tagCheck: PhotoCheckResult['tagCheck'],
  { tags, quality }: { tags: PhotoCheckResult['tags']; quality: { sharpness: number; exposure: number } },
  { gcpId, aprilTagId }: Point,
): string[] {
  const shown = namesOf(tags)
  if (tagCheck === 'mismatch')
    return [`The photo shows ${shown}, but the point has tag ${aprilTagId}: correct one of them`]
  if (aprilTagId === null)
    return gcpId === null || tags.length === 0 ? [] : [`The photo shows ${shown}, but the point has no tag`]
  const tag = tags.find(({ id }) => id === aprilTagId)
  if (tag) {
    const side = shortestSide(tag.corners)
    return side < SMALL
      ? [`Tag ${aprilTagId} is only ${Math.round(side)} pixels wide: take the photo from a shorter distance`]
      : []
  }
  const again = `tag ${aprilTagId} is unreadable: take it again`
  if (quality.exposure < DARK) return [`The photo is too dark, and ${again} with more light`]
  if (quality.exposure > BRIGHT) return [`The photo is too bright, and ${again} with less light`]
  if (quality.sharpness < BLURRED) return [`The photo is blurred, and ${again} from half the distance`]
  return [
    `Tag ${aprilTagId} was not found: its whole white edge must be visible, and it must be 20 pixels wide or more`,
  ]
}

const placeNotes = (exif: PhotoCheckResult['exif']): string[] =>
  exif?.distanceToGcp != null && exif.distanceToGcp > FAR
    ? [
        `The camera says that it was ${Math.round(exif.distanceToGcp)} m from the point: check that the photo belongs here`,
      ]
    : []

/** Metres, to a decimetre. */
function distanceOf({ lat, lon }: { lat: number | null; lon: number | null }, { latitude, longitude }: Point) {
  if (lat === null || lon === null || latitude === null || longitude === null) return null
  return Math.round(distance({ latitude: lat, longitude: lon }, { latitude, longitude }) * 10) / 10
}

/** `tag 3`, `tags 3 and 9` */
function namesOf(tags: PhotoCheckResult['tags']): string {
  const ids = [...new Set(tags.map(({ id }) => id))].sort((a, b) => a - b)
  const last = ids.at(-1)
  return ids.length === 1 ? `tag ${last}` : `tags ${ids.slice(0, -1).join(', ')} and ${last}`
}

const shortestSide = (corners: PhotoCheckResult['tags'][number]['corners']): number =>
  Math.min(
    ...corners.map(([x, y], at) => {
      const [nextX, nextY] = corners[(at + 1) % 4]!
      return Math.hypot(nextX - x, nextY - y)
    }),
  )
