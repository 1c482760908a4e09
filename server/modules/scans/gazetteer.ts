import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { numberIn } from './reading/text-number.ts'

export type NamedPlace = {
  name: string
  /** In English. */
  country: string
  /** Height on the ellipsoid in metres, correct to about 20 m. */
  distance: number
}

/** Maximum distance in metres: at sea, no place is named. */
const WITHIN_METRES = 200_000

const [TAB, LINE_FEED] = [0x09, 0x0a]
/** WGS84: semi-major axis, and the square of the eccentricity. */
const [RADIUS, ECCENTRICITY] = [6_378_137, 0.00669437999014]

type Places = {
  /** The file, and the offset of each line. */
  text: Buffer
  lines: Uint32Array
  /** Earth-centred x y z in metres. */
  points: Float32Array
}

let loading: Promise<Places> | undefined
const regions = new Intl.DisplayNames(['en'], { type: 'region' })

/**
 * The city, town or village nearest to a point, of those with 1,000 inhabitants or more (GeoNames). Compares all of
 * them, in less than a millisecond. The data is loaded at the first use and takes 7 MB.
 * @param lat degrees of WGS84 @param long degrees
 * @param within maximum distance in metres
 * @returns null if no place is within that distance
 */
export async function nearestPlace(lat: number, long: number, within = WITHIN_METRES): Promise<NamedPlace | null> {
  loading ??= load()
  const { text, lines, points } = await loading
  const [x, y, z] = onEllipsoid(lat, long)
  let nearest = -1
  let square = Infinity
  for (let i = 0; i < lines.length; i++) {
    const dx = points[i * 3]! - x
    const dy = points[i * 3 + 1]! - y
    const dz = points[i * 3 + 2]! - z
    const between = dx * dx + dy * dy + dz * dz
    if (between >= square) continue
    nearest = i
    square = between
  }
  const distance = alongSurface(Math.sqrt(square))
  if (nearest < 0 || !(distance <= within)) return null
  const start = lines[nearest]!
  const [, , code, name] = text.toString('utf8', start, text.indexOf(LINE_FEED, start)).split('\t') as string[]
  return { name: name!, country: regions.of(code!) ?? code!, distance }
}

/** Loaded once; a failure is not cached. */
async function load(): Promise<Places> {
  try {
    const packed = await readFile(new URL('./gazetteer/places.tsv.gz', import.meta.url))
    return placesIn(await promisify(gunzip)(packed))
  } catch (error) {
    loading = undefined
    throw error
  }
}

function placesIn(text: Buffer): Places {
  let count = 0
  for (const byte of text) if (byte === LINE_FEED) count++
  const lines = new Uint32Array(count)
  const points = new Float32Array(count * 3)
  for (let i = 0, at = 0; i < count; i++) {
    lines[i] = at
    const first = text.indexOf(TAB, at)
    const second = text.indexOf(TAB, first + 1)
    points.set(onEllipsoid(numberIn(text, at, first), numberIn(text, first + 1, second)), i * 3)
    at = text.indexOf(LINE_FEED, second) + 1
  }
  return { text, lines, points }
}

/** Earth-centred coordinates of a point at sea level: chords have no special cases at the poles or the date line. */
function onEllipsoid(lat: number, long: number): [number, number, number] {
  const [phi, lambda] = [(lat * Math.PI) / 180, (long * Math.PI) / 180]
  const normal = RADIUS / Math.sqrt(1 - ECCENTRICITY * Math.sin(phi) ** 2)
  return [
    normal * Math.cos(phi) * Math.cos(lambda),
    normal * Math.cos(phi) * Math.sin(lambda),
    normal * (1 - ECCENTRICITY) * Math.sin(phi),
  ]
}

/** Arc length for a chord, on a sphere of the earth's mean radius. */
const alongSurface = (chord: number) => 2 * 6_371_009 * Math.asin(Math.min(1, chord / (2 * 6_371_009)))
