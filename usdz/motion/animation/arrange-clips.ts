import { unsupported } from '../../errors.ts'
import type { Settings } from '../../options/options.ts'
import type { Notes } from '../../report.ts'
import type { Clip } from './read-clips.ts'
import type { Track } from './track.ts'

/** Clips that play at the same time, and the tracks of all of them. */
export type ClipGroup = { clips: readonly Clip[]; tracks: readonly Track[] }

/**
 * Decides which clips are written and what follows what. Clips of different properties usually are one motion that a
 * program has split: they play together, unless one is selected or the settings say otherwise.
 * @returns groups that follow each other, the selected clip first.
 */
export function arrangeClips(clips: readonly Clip[], settings: Settings, notes: Notes): ClipGroup[] {
  const selected = selectClips(clips, settings, notes)
  const { animations, clip } = settings
  const isSplit = animations === 'auto' && clip === undefined && areDisjoint(selected)
  if (selected.length < 2 || !(animations === 'together' || isSplit)) {
    return selected.map((one) => ({ clips: [one], tracks: one.tracks }))
  }
  notes.changed('animations_together', 'The animations play at the same time.', selected.length)
  return [{ clips: selected, tracks: firstTracks(selected, notes) }]
}

/** Puts the selected clip first (by default the first clip), followed by the others unless only it is requested. */
function selectClips(clips: readonly Clip[], { clip, onlyClip }: Settings, notes: Notes): readonly Clip[] {
  if (clips.length === 0 && clip === undefined) return []
  const first = clip === undefined ? clips[0] : clips.find(({ name, index }) => clip === name || clip === index)
  if (!first) {
    const names = clips.map(({ name, index }) => (name ? `"${name}"` : `number ${index}`)).join(', ')
    const asked = typeof clip === 'string' ? `named "${clip}"` : `number ${clip}`
    const others = clips.length === 0 ? 'no animation moves anything visible' : `available: ${names}`
    throw unsupported(`There is no animation ${asked}; ${others}.`)
  }
  if (!onlyClip) return [first, ...clips.filter((other) => other !== first)]
  if (clips.length > 1) notes.leftOut('animations', 'Only the selected animation is written.', clips.length - 1)
  return [first]
}

/** Tells whether no two clips move the same property of the same node. */
function areDisjoint(clips: readonly Clip[]): boolean {
  const tracks = clips.flatMap((clip) => clip.tracks)
  return distinct(tracks).length === tracks.length
}

function firstTracks(clips: readonly Clip[], notes: Notes): Track[] {
  const tracks = clips.flatMap((clip) => clip.tracks)
  const kept = distinct(tracks)
  if (kept.length < tracks.length) {
    const message = 'Where animations that play together move the same property, the first one is used.'
    notes.changed('animation_conflicts', message, tracks.length - kept.length)
  }
  return kept
}

/** Returns the first track of each property. */
function distinct(tracks: readonly Track[]): Track[] {
  const seen = new Map<Track['node'], Set<Track['path']>>()
  return tracks.filter(({ node, path }) => {
    const paths = seen.get(node) ?? new Set()
    seen.set(node, paths)
    return !paths.has(path) && paths.add(path)
  })
}
