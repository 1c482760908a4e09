/** Distances on WGS84 by Vincenty's formulas (Survey Review 23/176, 1975). Accurate to a millimetre, except for nearly antipodal points. */

const A = 6_378_137
const F = 1 / 298.257223563
const B = A * (1 - F)
const RAD = Math.PI / 180
/** Mean radius of the Earth (IUGG). */
const MEAN_RADIUS = 6_371_008.8
const ROUNDS = 100

export type Place = { lat: number; lon: number }

const reduced = (latitude: number) => Math.atan((1 - F) * Math.tan(latitude * RAD))

function factors(cosSquaredAlpha: number) {
  const u = (cosSquaredAlpha * (A * A - B * B)) / (B * B)
  return {
    a: 1 + (u / 16384) * (4096 + u * (-768 + u * (320 - 175 * u))),
    b: (u / 1024) * (256 + u * (-128 + u * (74 - 47 * u))),
  }
}

const deltaSigma = (b: number, sin: number, cos: number, middle: number) =>
  b *
  sin *
  (middle + (b / 4) * (cos * (-1 + 2 * middle ** 2) - (b / 6) * middle * (-3 + 4 * sin ** 2) * (-3 + 4 * middle ** 2)))

const curve = (cosSquaredAlpha: number) => (F / 16) * cosSquaredAlpha * (4 + F * (4 - 3 * cosSquaredAlpha))

/** The distance between two places in metres. */
export function distanceOf(from: Place, to: Place): number {
  const [u1, u2] = [reduced(from.lat), reduced(to.lat)]
  const away = (to.lon - from.lon) * RAD
  const [sin1, cos1, sin2, cos2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)]
  let lambda = away
  for (let round = 0; round < ROUNDS; round++) {
    const sinSigma = Math.hypot(cos2 * Math.sin(lambda), cos1 * sin2 - sin1 * cos2 * Math.cos(lambda))
    if (sinSigma === 0) return 0
    const cosSigma = sin1 * sin2 + cos1 * cos2 * Math.cos(lambda)
    const sigma = Math.atan2(sinSigma, cosSigma)
    const sinAlpha = (cos1 * cos2 * Math.sin(lambda)) / sinSigma
    const rest = 1 - sinAlpha ** 2
    const middle = rest === 0 ? 0 : cosSigma - (2 * sin1 * sin2) / rest
    const c = curve(rest)
    const before = lambda
    lambda = away + (1 - c) * F * sinAlpha * (sigma + c * sinSigma * (middle + c * cosSigma * (-1 + 2 * middle ** 2)))
    if (Math.abs(lambda - before) > 1e-12) continue
    const { a, b } = factors(rest)
    return B * a * (sigma - deltaSigma(b, sinSigma, cosSigma, middle))
  }
  return Math.PI * B
}

/** A fast approximate distance in metres on a sphere, with an error of at most 0.6 % (haversine formula: R. W. Sinnott, Sky and Telescope 68/2, 1984). */
export function roughDistanceOf(from: Place, to: Place): number {
  const north = Math.sin(((to.lat - from.lat) * RAD) / 2)
  const east = Math.sin(((to.lon - from.lon) * RAD) / 2)
  const half = north ** 2 + Math.cos(from.lat * RAD) * Math.cos(to.lat * RAD) * east ** 2
  return 2 * MEAN_RADIUS * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** The destination at a distance in metres and a bearing in degrees clockwise from north. */
export function placeFrom(from: Place, bearing: number, metres: number): Place {
  const u1 = reduced(from.lat)
  const [sinU, cosU] = [Math.sin(u1), Math.cos(u1)]
  const [sinBearing, cosBearing] = [Math.sin(bearing * RAD), Math.cos(bearing * RAD)]
  const sigma1 = Math.atan2(Math.tan(u1), cosBearing)
  const sinAlpha = cosU * sinBearing
  const rest = 1 - sinAlpha ** 2
  const { a, b } = factors(rest)
  let sigma = metres / (B * a)
  for (let round = 0; round < ROUNDS; round++) {
    const middle = Math.cos(2 * sigma1 + sigma)
    const next = metres / (B * a) + deltaSigma(b, Math.sin(sigma), Math.cos(sigma), middle)
    const isThere = Math.abs(next - sigma) < 1e-12
    sigma = next
    if (isThere) break
  }
  const [sin, cos, middle] = [Math.sin(sigma), Math.cos(sigma), Math.cos(2 * sigma1 + sigma)]
  const x = sinU * sin - cosU * cos * cosBearing
  const lat = Math.atan2(sinU * cos + cosU * sin * cosBearing, (1 - F) * Math.hypot(sinAlpha, x))
  const lambda = Math.atan2(sin * sinBearing, cosU * cos - sinU * sin * cosBearing)
  const c = curve(rest)
  const away = lambda - (1 - c) * F * sinAlpha * (sigma + c * sin * (middle + c * cos * (-1 + 2 * middle ** 2)))
  return { lat: lat / RAD, lon: from.lon + away / RAD }
}
