/** JSON as it comes out of a file: nothing is known of its members yet. */
export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A whole number from 0 up: an index, a length, an offset. */
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

/** A glTF whose top-level lists are all there (empty when the file has none) and hold objects. */
export type ValidatedGltf = JsonObject & Record<(typeof topLevelLists)[number], JsonObject[]>
