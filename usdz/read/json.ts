/** Parsed JSON whose members have not been validated. */
export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Tells whether a value is a non-negative integer: an index, a length, an offset. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** The top-level lists of a glTF. */
export const topLevelLists = [
  'accessors',
  'animations',
  'bufferViews',
  'buffers',
  'cameras',
  'images',
  'materials',
  'meshes',
  'nodes',
  'samplers',
  'scenes',
  'skins',
  'textures',
] as const

/** A glTF whose top-level lists all exist (possibly empty) and hold objects. */
export type ValidatedGltf = JsonObject & Record<(typeof topLevelLists)[number], JsonObject[]>
