import type { PhotoTag, RelocalizationPhoto } from '../schema.ts'
import type { CheckRow } from '../store.ts'
import { BLURRED, BRIGHT, checkResultOf, DARK } from './check-result.ts'

const NO_POINT = { placed: null, gcpId: null, aprilTagId: null, latitude: null, longitude: null }

/** What a relocalization photo shows. It needs no tag; a tag helps devices that read tags. */
export function relocalizationResultOf(check: CheckRow): Omit<RelocalizationPhoto, 'url'> {
  const { tags, width, height, quality, notes } = checkResultOf({ check, ...NO_POINT })
  const shown = { tags, width, height, quality }
  if (!quality) return { ...shown, notes, tagCheck: check.state === 'pending' ? 'pending' : 'unreadable' }
  return { ...shown, notes: notesOf(tags, quality), tagCheck: tags.length > 0 ? 'found' : 'none' }
}

function notesOf(tags: PhotoTag[], { sharpness, exposure }: { sharpness: number; exposure: number }): string[] {
  if (exposure < DARK) return ['The photo is too dark: take it again with more light']
  if (exposure > BRIGHT) return ['The photo is too bright: take it again with less light']
  // A photo of a plain wall has few edges but those of its tag.
  if (tags.length === 0 && sharpness < BLURRED) return ['The photo is blurred: hold the camera still and take it again']
  return []
}
