/** Unwraps longitudes of nearby points so that points on both sides of 180° are adjacent. */
export function besideEachOther(longitudes: readonly number[]): number[] {
  const isSplit = Math.max(...longitudes) - Math.min(...longitudes) > 180
  return longitudes.map((longitude) => (isSplit && longitude < 0 ? longitude + 360 : longitude))
}

/** The bounding box of positions (longitude, latitude in degrees) as west, south, east, north. Crosses 180° if that is shorter. Undefined without positions. */
export function boundsOf(
  positions: readonly (readonly [longitude: number, latitude: number])[],
): [number, number, number, number] | undefined {
  if (positions.length === 0) return undefined
  const east = besideEachOther(positions.map(([longitude]) => longitude))
  const north = positions.map(([, latitude]) => latitude)
  return [Math.min(...east), Math.min(...north), Math.max(...east), Math.max(...north)]
}
