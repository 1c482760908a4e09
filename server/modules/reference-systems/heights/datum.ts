import type { Proj } from '../proj/library.ts'
import { systemNames } from '../proj/names.ts'
import { readSystem } from '../proj/read-system.ts'

/** A height reference. */
export type HeightDatum = {
  /**
   * `ellipsoid`, `unknown`, `orthometric` (above the sea, by an unnamed datum), a geoid by its name (`EGM96`), or a vertical
   * system by its code (`EPSG:7837`), otherwise by its name.
   */
  name: string
  /** Its common name: `DHHN2016 height`. */
  title: string
  /** The code of the vertical system in the register; undefined for the three words and for a datum of a file. */
  system: string | undefined
  /** Metres per unit. */
  unit: number
  /** Whether values increase downwards. */
  isDepth: boolean
  /** Whether it is a tidal datum, which is metres off the geoid. */
  isTidal: boolean
}

/** Maximum length of a datum name. */
const MAX_DATUM = 255

const geoids: Record<string, string> = { 'EPSG:5773': 'EGM96', 'EPSG:3855': 'EGM2008', 'EPSG:5798': 'EGM84' }

/** Common names that are not in the register, and of geoid models that define the heights of one datum. */
const otherNames: Record<string, string> = {
  wgs84: 'ellipsoid',
  hae: 'ellipsoid',
  ellipsoidal: 'ellipsoid',
  none: 'unknown',
  wgs84ellipsoid: 'ellipsoid',
  egm08: 'EPSG:3855',
  cgvd2013: 'EPSG:6647',
  nn1954: 'EPSG:5776',
  ngf: 'EPSG:5720',
  ign69: 'EPSG:5720',
  aod: 'EPSG:5701',
  ordnancedatum: 'EPSG:5701',
  bpv: 'EPSG:8357',
  taw: 'EPSG:5710',
  genova1942: 'EPSG:5214',
  kron86: 'EPSG:9650',
  plkron86nh: 'EPSG:9650',
  kronsztadt86: 'EPSG:9650',
  kronstadt86: 'EPSG:9650',
  plevrf2007nh: 'EPSG:9651',
  malin: 'EPSG:5731',
  malinhead: 'EPSG:5731',
  baltic1957: 'EPSG:8357',
  rednap: 'EPSG:5782',
  ngvd29: 'EPSG:7968',
  gcg2011: 'EPSG:5783',
  gcg2016: 'EPSG:7837',
  osgm02: 'EPSG:5701',
  osgm15: 'EPSG:5701',
  raf18: 'EPSG:5720',
  raf20: 'EPSG:5720',
  ...Object.fromEntries(['99', '03', '09', '12', '12a', '12b', '18'].map((year) => [`geoid${year}`, 'EPSG:5703'])),
}
/** Names of heights above the sea in an unnamed datum, in letters only. */
const SEA =
  /^(?:(?:above)?(?:local)?(?:mean)?sealevel(?:msl)?|a?msl|asl|orthometric(?:heights?)?|geoid|(?:hoe?hen?)?(?:m(?:etres?)?)?(?:ue?(?:ber)?)?(?:nhn|nn|normalnull|normalhoe?hennull)|normalhoe?hen?|kronsz?tadt|amsterdam|meeresspiegel|niveaudelamer|niveldelmar|livellodelmare)$/

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

/** A datum defined in a file, without a code and with a name that is not in the register. */
export const ownDatum = (name: string): HeightDatum => ({ ...word(name), isTidal: TIDAL.test(name) })

/** @returns the height reference of a word, a name or a code, or the reason why it is invalid */
export function heightDatumOf(library: Proj, text: string): HeightDatum | string {
  const plain = text.trim()
  if (/^(?:ellipsoid|unknown|orthometric)$/i.test(plain)) return word(plain.toLowerCase())
  if (plain === '' || plain.length > MAX_DATUM) return unread(plain)
  const letters = plain
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '')
  if (SEA.test(letters)) return word('orthometric')
  const known = otherNames[letters]
  if (known && !known.includes(':')) return word(known)
  const names = systemNames(library)
  const code =
    known ?? codeIn(plain) ?? names.vertical(`${plain} height`) ?? names.vertical(plain) ?? names.verticalDatum(plain)
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

/** `EPSG:7837`, also as a URN or an address, or its number alone. */
function codeIn(text: string): string | undefined {
  const number =
    /^(?:urn:ogc:def:crs:EPSG:[\d.]*:|https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[\d.]+\/)?(\d{4,6})$/i.exec(text)
  if (number) return `EPSG:${number[1]}`
  return /^[a-z]{2,12}:\w{1,40}$/i.test(text) ? text.toUpperCase() : undefined
}

const unread = (text: string): string =>
  `"${text.slice(0, 80)}" is not a height datum: write ellipsoid, unknown, orthometric, a geoid such as EGM96, or a vertical system such as EPSG:7837 or DHHN2016 height`
