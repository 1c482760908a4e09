import { CHORD_MARGIN_METRES, toEcef } from './geodesy.ts'

/** The corners of a box in earth-centred metres. */
export type EarthBox = { low: number[]; high: number[] }

const RADIANS = Math.PI / 180

/**
 * The smallest box in space around a part of the map without heights, with a margin, so that the index of pins can select
 * candidates. Degrees; west not greater than east.
 */
export function earthBox(west: number, south: number, east: number, north: number): EarthBox {
  // Distance from the axis decreases towards the poles; z increases from south to north.
  const widest = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north))
  const radii = [widest, Math.max(Math.abs(south), Math.abs(north))].map((latitude) => toEcef(latitude, 0)[0])
  const x = spread(radii, cosines(west, east))
  const y = spread(radii, cosines(west - 90, east - 90))
  const z = [toEcef(south, 0)[2], toEcef(north, 0)[2]]
  const axes = [x, y, z].map((values) => [
    Math.min(...values) - CHORD_MARGIN_METRES,
    Math.max(...values) + CHORD_MARGIN_METRES,
  ])
  return { low: axes.map(([low]) => low!), high: axes.map(([, high]) => high!) }
}

/** Minimum and maximum cosine between two longitudes. */
function cosines(west: number, east: number): number[] {
  const ends = [Math.cos(west * RADIANS), Math.cos(east * RADIANS)]
  const passes = (degrees: number) => Math.floor((east - degrees) / 360) > Math.floor((west - degrees) / 360)
  if (passes(0) || west % 360 === 0) ends.push(1)
  if (passes(180)) ends.push(-1)
  return ends
}

const spread = (radii: number[], factors: number[]): number[] => radii.flatMap((r) => factors.map((f) => r * f))
