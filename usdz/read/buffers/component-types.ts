/**
 * The size in bytes of each component type. 5130 and 5131 are defined by KHR_accessor_float64 and KHR_accessor_float16.
 */
export const componentBytes: ReadonlyMap<unknown, number> = new Map([
  [5120, 1],
  [5121, 1],
  [5122, 2],
  [5123, 2],
  [5125, 4],
  [5126, 4],
  [5130, 8],
  [5131, 2],
])

/** The number of components of each element type. */
export const componentCounts: ReadonlyMap<unknown, number> = new Map([
  ['SCALAR', 1],
  ['VEC2', 2],
  ['VEC3', 3],
  ['VEC4', 4],
  ['MAT2', 4],
  ['MAT3', 9],
  ['MAT4', 16],
])

export const componentType = {
  byte: 5120,
  unsignedByte: 5121,
  short: 5122,
  unsignedShort: 5123,
  unsignedInt: 5125,
  float: 5126,
  double: 5130,
  half: 5131,
} as const
