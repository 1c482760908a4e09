import type { PhotoTag, RelocalizationPhoto } from '../schema.ts'
import type { CheckRow } from '../store.ts'
import { BLURRED, BRIGHT, DARK, PENDING } from './truth.ts'

/** What a relocalization photo shows. It needs no tag; a tag helps devices that read tags. */
export function shownIn(check: CheckRow): Omit<RelocalizationPhoto, 'url'> {
  const { tags, width, height, quality, notes } = PENDING
  const unknown = { tags, width, height, quality, notes }
  if (check.state === 'pending') return { tagCheck: 'pending', ...unknown }
  if (check.state === 'unreadable') return { tagCheck: 'unreadable', ...unknown, notes: [check.problem!] }
  const seen = { sharpness: check.sharpness!, exposure: check.exposure! }
  return {
    tagCheck: check.tags.length > 0 ? 'found' : 'none',
    tags: check.tags,
    width: check.width,
    height: check.height,
    quality: seen,
    notes: notesOf(check.tags, seen),
  }
}

function notesOf(tags: PhotoTag[], { sharpness, exposure }: { sharpness: number; exposure: number }): string[] {
  if (exposure < DARK) return ['The photo is too dark: take it again with more light']
  if (exposure > BRIGHT) return ['The photo is too bright: take it again with less light']
  // A photo of a plain wall has few edges but those of its tag.
  if (tags.length === 0 && sharpness < BLURRED) return ['The photo is blurred: hold the camera still and take it again']
  return []
}
