export type Point = { lat: number; lon: number }

/** Metres per degree of latitude on a sphere. Accurate enough for arrows and steps; distances that count come from Cairn. */
const METRES = 111_195

const metresEast = (from: Point, to: Point) => (to.lon - from.lon) * METRES * Math.cos((from.lat * Math.PI) / 180)
const metresNorth = (from: Point, to: Point) => (to.lat - from.lat) * METRES

export const distance = (from: Point, to: Point) => Math.hypot(metresEast(from, to), metresNorth(from, to))

/** The bearing in degrees clockwise from north. */
export const bearing = (from: Point, to: Point) =>
  (Math.atan2(metresEast(from, to), metresNorth(from, to)) * 180) / Math.PI

/** The point at an offset in metres east and north. */
export const moved = ({ lat, lon }: Point, east: number, north: number): Point => ({
  lat: lat + north / METRES,
  lon: lon + east / (METRES * Math.cos((lat * Math.PI) / 180)),
})

/** A closed ring around a point, in GeoJSON order. */
export const circle = (centre: Point, radius: number): [number, number][] =>
  Array.from({ length: 49 }, (_, i) => {
    const angle = (i / 48) * 2 * Math.PI
    const { lat, lon } = moved(centre, radius * Math.cos(angle), radius * Math.sin(angle))
    return [lon, lat]
  })
