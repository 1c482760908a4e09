/** Margin around the published area of use in degrees: surveys cross such borders. */
const AREA_MARGIN_DEGREES = 1

/** Whether a point is in the area of use of its reference system, with a margin of one degree. */
export function inArea(area: readonly number[], longitude: number, latitude: number): boolean {
  const [west, south, east, north] = area as [number, number, number, number]
  if (latitude < south - AREA_MARGIN_DEGREES || latitude > north + AREA_MARGIN_DEGREES) return false
  const width = (((east - west) % 360) + 360) % 360 || 360
  const offset = (((longitude - west + AREA_MARGIN_DEGREES) % 360) + 360) % 360
  return offset <= width + 2 * AREA_MARGIN_DEGREES
}
