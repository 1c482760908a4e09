import type { Proj } from '../proj/library.ts'
import { systemNames } from '../proj/names.ts'
import { readSystem } from '../proj/read-system.ts'

/** What heights are above. */
export type HeightDatum = {
  /**
   * `ellipsoid`, `unknown`, `orthometric` (above the sea, by a datum that nobody names), a geoid by its name (`EGM96`),
   * or a vertical system by its code (`EPSG:7837`), else by its name.
   */
  name: string
  /** As people know it: `DHHN2016 height`. */
  title: string
  /** The code of a vertical system of the register; undefined for the three words and for an own system. */
  system: string | undefined
  /** Metres to one of its units. */
  unit: number
  /** Its figures grow downwards. */
  isDepth: boolean
  /** It lies metres off the geoid: a level of the tides. */
  isTidal: boolean
}

/** Longer texts name no datum. */
const MAX_DATUM = 255

const geoids: Record<string, string> = { 'EPSG:5773': 'EGM96', 'EPSG:3855': 'EGM2008', 'EPSG:5798': 'EGM84' }

/** Names that people write and the register does not have. */
const otherNames: Record<string, string> = {
  wgs84: 'ellipsoid',
  hae: 'ellipsoid',
  ellipsoidal: 'ellipsoid',
  none: 'unknown',
  msl: 'orthometric',
  amsl: 'orthometric',
  geoid: 'orthometric',
  egm08: 'EPSG:3855',
  cgvd2013: 'EPSG:6647',
  nn1954: 'EPSG:5776',
  ngf: 'EPSG:5720',
  ign69: 'EPSG:5720',
  aod: 'EPSG:5701',
  bpv: 'EPSG:8357',
  baltic1957: 'EPSG:8357',
}

const TIDAL =
  /\b(?:LAT|MLLWS?|MLWS?|MLLW|MHW\w*|HAT|HHWLT|LLWLT|ISLW|CD|HKCD|ZH)\b|\btid|low water|high water|chart|water level|LAT\b/i
const MEAN_SEA_LEVEL = 'EPSG:5714'

const word = (name: string): HeightDatum => ({
  name,
  title: name,
  system: undefined,
  unit: 1,
  isDepth: false,
  isTidal: false,
})

/** A datum that a file describes itself, without a code and by a name that the register does not have. */
export const ownDatum = (name: string): HeightDatum => ({ ...word(name), isTidal: TIDAL.test(name) })

/** @returns what heights are above by a word, a name or a code, or in one sentence why nothing is meant by it */
export function heightDatumOf(library: Proj, text: string): HeightDatum | string {
  const plain = text.trim()
  if (/^(?:ellipsoid|unknown|orthometric)$/i.test(plain)) return word(plain.toLowerCase())
  const known = otherNames[plain.toLowerCase().replace(/[^a-z0-9]/g, '')]
  if (known && !known.includes(':')) return word(known)
  if (plain === '' || plain.length > MAX_DATUM) return unread(plain)
  const names = systemNames(library)
  const code =
    known ?? (isCode(plain) ? plain.toUpperCase() : (names.vertical(`${plain} height`) ?? names.vertical(plain)))
  if (code === MEAN_SEA_LEVEL) return word('orthometric')
  const system = code === undefined ? undefined : readSystem(library, code)
  if (code === undefined || system?.kind !== 'vertical') return unread(plain)
  const axis = system.axes[0]
  return {
    name: geoids[code] ?? code,
    title: system.name,
    system: code,
    unit: axis?.unit ?? 1,
    isDepth: axis?.direction === 'down',
    isTidal: TIDAL.test(system.name),
  }
}

const isCode = (text: string): boolean => /^[a-z]{2,12}:\w{1,40}$/i.test(text)

const unread = (text: string): string =>
  `"${text.slice(0, 80)}" is nothing that heights are above: write ellipsoid, unknown, orthometric, a geoid such as EGM96, or a vertical system such as EPSG:7837 or DHHN2016 height`
