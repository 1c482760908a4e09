import type { Profile } from '../../index.ts'

/** One thing of glTF, a small model that has it, and what becomes of it. */
export type Feature = {
  /** glTF's own words. */
  name: string
  /** What it becomes in the package, in USD's words. */
  as: string
  how: How | Record<Profile, How>
  /** The codes of all notes in the report; none where it is exact. */
  notes?: readonly string[] | Record<Profile, readonly string[]>
  glb: () => Promise<Uint8Array>
  /** Why three.js cannot judge it by pictures: it is drawn all the same, but not held to the limit. */
  unjudged?: string
  /** What a reader finds otherwise through no fault of the package: its complaints, with the reason beside them. */
  misread?: RegExp
}
export type How = 'exact' | 'approximated' | 'left out'

export const howOf = ({ how }: Feature, profile: Profile): How => (typeof how === 'string' ? how : how[profile])

export const notesOf = ({ notes = [] }: Feature, profile: Profile): readonly string[] =>
  'quicklook' in notes ? notes[profile] : notes
