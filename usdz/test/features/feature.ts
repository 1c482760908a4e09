import type { Profile } from '../../index.ts'

/** The columns of the table. What UsdPreviewSurface shows of `realitykit` is what it shows of `quicklook`. */
type Column = Exclude<Profile, 'realitykit'>

/** A glTF feature, a small model with it, and its support. */
export type Feature = {
  /** The name in glTF's terms. */
  name: string
  /** Its representation in the package, in USD's terms. */
  as: string
  how: How | Record<Column, How>
  /** The codes of all notes in the report; none where it is exact. */
  notes?: readonly string[] | Record<Column, readonly string[]>
  glb: () => Promise<Uint8Array>
  /** Why three.js cannot compare it: its picture has no limit. */
  unjudged?: string
  /** Known complaints of readers that the package does not cause, with their reason. */
  misread?: RegExp
}
export type How = 'exact' | 'approximated' | 'left out'

export const howOf = ({ how }: Feature, profile: Profile): How =>
  typeof how === 'string' ? how : how[columnOf(profile)]

const columnOf = (profile: Profile): Column => (profile === 'spec' ? 'spec' : 'quicklook')

export const notesOf = ({ notes = [] }: Feature, profile: Profile): readonly string[] =>
  'quicklook' in notes ? notes[columnOf(profile)] : notes
