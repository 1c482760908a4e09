import type { NoteCode } from './note-codes.ts'

/**
 * Something in the file that its conversion shows differently (`changed`) or not at all (`left_out`). `count` is the
 * number of occurrences.
 */
export type Note = { code: NoteCode; effect: 'changed' | 'left_out'; message: string; count?: number }

/** What was written. Counts refer to the USDZ; `notes` lists what was changed or left out. */
export type ConversionReport = {
  triangles: number
  vertices: number
  meshes: number
  materials: number
  textures: number
  animations: number
  skins: number
  morphTargets: number
  /** Present for Gaussian splats: how many there are. */
  splats?: number
  /**
   * The range of each animation on the timeline of the USDZ, in seconds, in playback order; animations that play
   * together have the same start. `index` is the animation's index in the GLB.
   */
  clips: { name: string; index: number; start: number; end: number }[]
  /**
   * The material variants that viewers offer, by their name and index in the GLB. The selected one is shown first; if
   * none is, the default materials are.
   */
  variants: { name: string; index: number; selected: boolean }[]
  /**
   * Present if meshes were simplified: the triangles that the GLB draws, and the largest error of a mesh as a share of
   * its size.
   */
  simplification?: { from: number; error: number }
  /** Width (x), height (y) and depth (z) of the model at rest, in metres: the size at which AR viewers show it. */
  size: { width: number; height: number; depth: number }
  /**
   * Present for PLY, STL and OBJ, which have no unit of length: how many metres one unit of the file is. It is the option
   * `scale`, or 1.
   */
  metersPerUnit?: number
  notes: Note[]
}

/** Collects notes during a conversion. Equal notes are merged and counted. */
export function createNotes() {
  const notes = new Map<string, Note>()
  const add = ({ code, effect, message, count = 1 }: Note): void => {
    const key = `${code}\n${message}`
    const known = notes.get(key)
    notes.set(key, { code, effect, message, count: (known?.count ?? 0) + count })
  }
  return {
    add,
    changed: (code: NoteCode, message: string, count = 1): void => add({ code, effect: 'changed', message, count }),
    leftOut: (code: NoteCode, message: string, count = 1): void => add({ code, effect: 'left_out', message, count }),
    list: (): Note[] => [...notes.values()],
  }
}
export type Notes = ReturnType<typeof createNotes>
