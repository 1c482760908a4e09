/** The latitude at which the square of Web Mercator ends. What lies beyond is in no tile. */
export const MAX_LATITUDE = 85.0511287798066
/** Units along a side of a tile. */
export const EXTENT = 4096

/** Levels of the curve below the whole world; a cell of the last is smaller than a metre. */
const LEVELS = 26
const CELLS = 2 ** LEVELS
const HALF_BITS = LEVELS / 2
const HALF = 2 ** HALF_BITS

/** A place in the square of Web Mercator, from 0 at 180° west and 85° north to 1. */
export type Place = { x: number; y: number }
/** A tile of the square: `x` counts columns from the west, `y` rows from the north. */
export type TileAt = { z: number; x: number; y: number }

/** @returns undefined beyond MAX_LATITUDE */
export function placeOf(latitude: number, longitude: number): Place | undefined {
  if (Math.abs(latitude) > MAX_LATITUDE) return undefined
  const y = (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2
  return { x: (longitude + 180) / 360, y: Math.min(1, Math.max(0, y)) }
}

/** The degrees of a place. */
export const degreesOf = ({ x, y }: Place): { latitude: number; longitude: number } => ({
  latitude: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI,
  longitude: x * 360 - 180,
})

/** The column or row of a coordinate; the edge at 1 belongs to the last one. */
const cellOf = (value: number, cells: number): number => Math.min(cells - 1, Math.floor(value * cells))

/** The tile of a place at a zoom level. */
export const tileOf = ({ x, y }: Place, z: number): TileAt => ({ z, x: cellOf(x, 2 ** z), y: cellOf(y, 2 ** z) })

/**
 * The position of a place on the Z-order curve (G. M. Morton, 1966), which interleaves the bits of column and row:
 * places of one tile, at any zoom level, follow each other on it.
 */
export function codeOf({ x, y }: Place): number {
  const [column, row] = [cellOf(x, CELLS), cellOf(y, CELLS)]
  const high = interleaved(Math.floor(column / HALF), Math.floor(row / HALF))
  return high * CELLS + interleaved(column % HALF, row % HALF)
}

/** The part of the curve in a tile: from the first code up to, without, the second. */
export function codesIn({ z, x, y }: TileAt): [from: number, to: number] {
  const cells = 2 ** (LEVELS - z)
  const [column, row] = [x * cells, y * cells]
  const high = interleaved(Math.floor(column / HALF), Math.floor(row / HALF))
  const from = high * CELLS + interleaved(column % HALF, row % HALF)
  return [from, from + cells * cells]
}

/** Two numbers of 13 bits, bit by bit; the row has the higher of each two. */
const interleaved = (column: number, row: number): number => (spread(row) << 1) | spread(column)

function spread(value: number): number {
  let bits = value
  bits = (bits | (bits << 8)) & 0x00ff00ff
  bits = (bits | (bits << 4)) & 0x0f0f0f0f
  bits = (bits | (bits << 2)) & 0x33333333
  bits = (bits | (bits << 1)) & 0x55555555
  return bits
}
