/** Universal Transverse Mercator on WGS84, by Krüger's series to the third power of n. Accurate to a millimetre within a zone (Karney 2011, https://arxiv.org/abs/1002.1417, section 2). */

const A = 6_378_137
const F = 1 / 298.257223563
const N = F / (2 - F)
/** The radius of a circle as long as a meridian, times the scale on the central meridian. */
const R = (0.9996 * A * (1 + N ** 2 / 4 + N ** 4 / 64)) / (1 + N)
const ALPHA = [N / 2 - (2 / 3) * N ** 2 + (5 / 16) * N ** 3, (13 / 48) * N ** 2 - (3 / 5) * N ** 3, (61 / 240) * N ** 3]
const BETA = [N / 2 - (2 / 3) * N ** 2 + (37 / 96) * N ** 3, N ** 2 / 48 + N ** 3 / 15, (17 / 480) * N ** 3]
const DELTA = [2 * N - (2 / 3) * N ** 2 - 2 * N ** 3, (7 / 3) * N ** 2 - (8 / 5) * N ** 3, (56 / 15) * N ** 3]
const ECCENTRICITY = (2 * Math.sqrt(N)) / (1 + N)
const FALSE_EASTING = 500_000
const RAD = Math.PI / 180

const sum = (series: number[], term: (twice: number) => number) =>
  series.reduce((total, factor, i) => total + factor * term(2 * (i + 1)), 0)

/** The UTM zone of a longitude, 1 to 60. */
export const utmZone = (longitude: number): number => ((((Math.floor(longitude / 6) + 30) % 60) + 60) % 60) + 1

const meridian = (zone: number) => zone * 6 - 183

/** Easting and northing in metres. Northings south of the equator are negative. Input in degrees. */
export function toUtm(zone: number, latitude: number, longitude: number): { east: number; north: number } {
  const sin = Math.sin(latitude * RAD)
  const t = Math.sinh(Math.atanh(sin) - ECCENTRICITY * Math.atanh(ECCENTRICITY * sin))
  const away = (longitude - meridian(zone)) * RAD
  const xi = Math.atan2(t, Math.cos(away))
  const eta = Math.atanh(Math.sin(away) / Math.sqrt(1 + t * t))
  return {
    east: FALSE_EASTING + R * (eta + sum(ALPHA, (j) => Math.cos(j * xi) * Math.sinh(j * eta))),
    north: R * (xi + sum(ALPHA, (j) => Math.sin(j * xi) * Math.cosh(j * eta))),
  }
}

/** Longitude and latitude of a point in a zone, in degrees. */
export function fromUtm(zone: number, east: number, north: number): [longitude: number, latitude: number] {
  const xi = north / R
  const eta = (east - FALSE_EASTING) / R
  const x = xi - sum(BETA, (j) => Math.sin(j * xi) * Math.cosh(j * eta))
  const y = eta - sum(BETA, (j) => Math.cos(j * xi) * Math.sinh(j * eta))
  const chi = Math.asin(Math.sin(x) / Math.cosh(y))
  const latitude = chi + sum(DELTA, (j) => Math.sin(j * chi))
  return [meridian(zone) + Math.atan2(Math.sinh(y), Math.cos(x)) / RAD, latitude / RAD]
}
