/** Something of the GLB that the USDZ shows differently (`changed`) or not at all (`left_out`). `count` is how many things it happened to. */
export type Note = { code: string; effect: 'changed' | 'left_out'; message: string; count?: number }

/** What was written, and what was not. Counts are those of the USDZ; what the GLB had beyond them is in `notes`. */
export type ConversionReport = {
  triangles: number
  vertices: number
  meshes: number
  materials: number
  textures: number
  animations: number
  skins: number
  morphTargets: number
  /** Where each animation lies on the timeline of the USDZ, in seconds, in the order in which they play; `index` is its own in the GLB. */
  clips: { name: string; index: number; start: number; end: number }[]
  notes: Note[]
}

/** Collects notes while a model is converted: the same code and message said twice is one note with a count. */
export function createNotes() {
  const notes = new Map<string, Note>()
  const add = ({ code, effect, message, count = 1 }: Note): void => {
    const key = `${code}\n${message}`
    const known = notes.get(key)
    notes.set(key, { code, effect, message, count: (known?.count ?? 0) + count })
  }
  return {
    add,
    changed: (code: string, message: string, count = 1): void => add({ code, effect: 'changed', message, count }),
    leftOut: (code: string, message: string, count = 1): void => add({ code, effect: 'left_out', message, count }),
    list: (): Note[] => [...notes.values()],
  }
}
export type Notes = ReturnType<typeof createNotes>
