import { crsTextOf } from '../../../reference-systems/crs-text.ts'
import { heightDatumInHeader } from '../../../reference-systems/heights/datum-aliases.ts'
import { angleUnitUnder, isInternationalFoot, unitOf, unitWordIn } from '../rows/values/units.ts'
import { withFlatBrackets } from './header/words/brackets.ts'
import { withDatumInBrackets } from './header/words/datum-beside.ts'
import { isAboveEllipsoid } from './header/words/ellipsoid-words.ts'
import { axisInGrid } from './header/words/grid-words.ts'
import { heightKindIn } from './header/words/height-kinds.ts'
import { withoutSideText } from './header/words/sides.ts'
import { headerWords } from './header-aliases.ts'

/**
 * The meanings of columns. `z` is a height of unknown datum, `x` and `y` are axes of unknown kind, `position` is both
 * coordinates in one cell, `…Side` the hemisphere letter, `photoPosition` the position of a point in a photo.
 */
export type Role =
  | 'title'
  | 'latitude'
  | 'longitude'
  | 'latitudeSide'
  | 'longitudeSide'
  | 'position'
  | 'northing'
  | 'easting'
  | 'x'
  | 'y'
  | 'h'
  | 'altitude'
  | 'z'
  | 'heightUnit'
  | 'heightDatum'
  | 'heightOperation'
  | 'heightAccuracy'
  | 'aprilTagId'
  | 'description'
  | 'gcpType'
  | 'gcpData'
  | 'yaw'
  | 'pitch'
  | 'roll'
  | 'photoUrls'
  | 'photoPosition'
  | 'accuracy'
  | 'accuracyH'
  | 'accuracyEasting'
  | 'accuracyNorthing'
  | 'accuracyV'
  | 'crs'
  | 'deleted'

/**
 * A column of the file: its index, header name, the factor of its unit to metres (for angles, degrees), and its
 * reference system, as in `Northing_UTM19N` or `E (EPSG:2056)`.
 */
export type Column = {
  index: number
  name: string
  /** The word of its header without unit, kind and signs. */
  word?: string
  unit: number | undefined
  /** Whether its unit is named as the international foot. */
  isInternational?: boolean
  turn?: number | undefined
  /** Whether it counts to the west or south. */
  isReversed?: boolean
  /** The name of a grid beside its axis, as in `e_lv95`. */
  grid?: string
  system?: string | undefined
}

export type Columns = Partial<Record<Role, Column[]>>

/** Maximum length of a header cell; longer ones have no meaning, and no expression runs on them. */
const MAX_HEADER = 255
/** Maximum length of a line that may be a header. */
const MAX_LINE = 512 * 1024

/** `Alt (HAE)`, `H (MSL)`, `Altitude (AGL)`: the word that a bracket makes of one for heights. */
const heightKindOf = (word: string, brackets: readonly string[]): string | undefined =>
  word !== '' && heightWords.has(word) ? heightKindIn(brackets) : undefined

const withoutMarks = (header: string): string => header.trim().replace(/^[\uFEFF\s#]+/, '')

/** Normalizes case, accents, spaces and signs: `Höhe_` → `hohe`. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .replace(/[\s_.,/:*#°'"’`-]/g, '')

const roles = Object.entries(headerWords).map(
  ([role, words]) => [role as Role, words.trim().split(/\s+/).map(fold)] as const,
)
const knownWords = new Set(roles.flatMap(([, words]) => words))
const [latitudeWords, longitudeWords] = (['latitude', 'longitude'] as const).map(
  (angle) => new Set(roles.flatMap(([role, words]) => (role === angle ? words : []))),
) as [Set<string>, Set<string>]
const sideWords = new Set(
  roles.flatMap(([role, words]) => (/^(?:northing|easting|latitude|longitude)$/.test(role) ? words : [])),
)
const isAngleWord = (word: string): boolean => latitudeWords.has(fold(word)) || longitudeWords.has(fold(word))
const heightWords = new Set(roles.flatMap(([role, words]) => (/^(?:h|altitude|z)$/.test(role) ? words : [''])))

/** `wgs84ellheight` → `ellheight`: a known word after the name of a datum of satellites. */
const withoutDatum = (word: string): string => {
  const rest = word.replace(/^(?:wgs84|etrs89|itrf)/, '')
  return !knownWords.has(word) && rest.length > 1 && knownWords.has(rest) ? rest : word
}

/**
 * `hauteuraudessusdelellipsoide` → `ellipsoidalheight`, `hoogteln02`, `navd88height` → `altitude`: a word for heights
 * with what they are above. Other words are returned unchanged.
 */
function heightWord(full: string): string {
  const word = withoutDatum(full)
  if (!knownWords.has(word) && isAboveEllipsoid(word, heightWords)) return 'ellipsoidalheight'
  const datum = knownWords.has(word) ? undefined : heightDatumInHeader(word)
  if (datum === undefined) return word
  const rest = word.replace(datum, '')
  return [rest, rest.replace(/height$/, '')].some((left) => heightWords.has(left)) ? 'altitude' : word
}

/** `lonw` of `Lon W` → `lon`, `latitudsur` → `latitud`: the word of an angle without its hemisphere. */
function withoutSide(header: string, word: string): string {
  const found = knownWords.has(word) ? undefined : withoutSideText(header)
  const angle = fold(found?.rest ?? '')
  return (found?.isNorthSouth ? latitudeWords : longitudeWords).has(angle) ? angle : word
}

/** `X_est` of Metashape is an estimate. */
const ESTIMATED = /_est$/

/** `Y Est`, `X (Nord)`, `X (N)`, `X (Latitude)`: the side that is named beside a plain axis. */
function sideOfAxis(header: string, word: string, brackets: readonly string[]): string | undefined {
  if (/^[xy]$/.test(word)) return brackets.map(fold).find((inside) => sideWords.has(inside))
  const side = knownWords.has(word) ? undefined : /^(?:[xy](\p{L}{3,})|(\p{L}{3,})[xy])$/u.exec(word)
  const found = ESTIMATED.test(header) ? undefined : (side?.[1] ?? side?.[2])
  return found !== undefined && sideWords.has(found) ? found : undefined
}

type Word = { word: string; isSided?: boolean } & Pick<
  Column,
  'unit' | 'isInternational' | 'turn' | 'isReversed' | 'grid' | 'system'
>

/** `  #Höhe_(m)` → `hohe` in metres: separates the unit and the reference system. */
function plainWord(header: string): Word {
  if (header.length > MAX_HEADER) return { word: '', unit: undefined }
  const { text, datum } = withDatumInBrackets(withFlatBrackets(withoutMarks(header.normalize('NFKC'))), isAngleWord)
  const brackets = [...text.matchAll(/[([]([^()[\]]*)[)\]]/g)].map((match) => match[1]!.trim())
  const suffix = /[\s_,-](m|ft|ftUS|usft|feet|met(?:er|re)s?|deg|degrees|dd|gon)$/i.exec(text)
  const named = brackets.length > 0 ? brackets : [suffix?.[1] ?? '']
  const isHeight = brackets.length > 0 && heightWords.has(fold(text.replace(/[([][^()[\]]*[)\]]/g, '')))
  const unitWord = named
    .map((one) => (isHeight && /^['′]$/.test(one) ? 'ft' : unitWordIn(one)))
    .find((found) => found !== undefined)
  const unit = unitWord === undefined ? undefined : unitOf(unitWord)
  const turn = named.map((one) => angleUnitUnder(text, one)).find((size) => size !== undefined)
  const cutOff = suffix && brackets.length === 0 && (unit ?? turn) !== undefined
  const plain = (cutOff ? text.slice(0, suffix.index) : text).replace(/[([][^()[\]]*[)\]]/g, '')
  const inGrid = axisInGrid(plain)
  const bare = fold(inGrid?.axis ?? plain)
  // `Höhe (NHN)`; `Höhe (m ü. NHN)`, where a part alone is no other word than one for heights.
  const parts = heightWords.has(bare) ? brackets.flatMap((inside) => inside.split(/[\s,;/]+/)) : []
  const kind =
    brackets.map(fold).find((inside) => knownWords.has(bare + inside)) ??
    parts.map(fold).find((part) => part.length > 1 && heightWords.has(bare + part)) ??
    ''
  const angle = withoutSide(text, bare)
  const word = angle + kind
  const grid =
    /^(?:utm|mga(?:94|2020)?|nztm(?:2000)?|osgb|bng|spcs?|stateplane|map|proj(?:ected)?|plane|rd|site|survey|adjusted|final|gk|itm|nztm|sweref)(northing|easting|north|east)$/.exec(
      word,
    )
  const zoned =
    /^(northing|easting|hochwert|rechtswert|nord|ost)(?:gk\d?|utm|mga(?:94|2020)?|nztm|bng|lv95|lv03|rd)$/.exec(word)
  const tail = /^(northing|easting|north|east|n|e|x|y)(?:wgs84)?(utm\d{1,2}[ns]|epsg\d{4,6})$/.exec(word)
  const system = tail ? crsTextOf(tail[2]!) : brackets.map(crsTextOf).find((found) => found !== undefined)
  // `H (DHHN2016)`, unlike a plain H.
  const isAboveSea = word === 'h' && brackets.some((inside) => heightDatumInHeader(inside) !== undefined)
  const isReversed = /westing|southing/.test(word)
  return {
    word:
      heightKindOf(angle, brackets) ??
      tail?.[1] ??
      grid?.[1] ??
      zoned?.[1] ??
      sideOfAxis(text, word, brackets) ??
      (isAboveSea ? 'altitude' : heightWord(word)),
    unit,
    ...(unitWord !== undefined && isInternationalFoot(unitWord) && { isInternational: true }),
    turn,
    ...(angle !== bare && { isSided: true }),
    ...(isReversed && { isReversed }),
    ...(inGrid && { grid: inGrid.grid }),
    ...(datum !== undefined && { grid: datum }),
    system,
  }
}

/** The meaning of each column by its header, in any order, case or language; unknown headers have none. */
export function columnsOf(header: readonly string[]): Columns {
  const words = header.map(plainWord)
  const plain = columnsAmong(
    header,
    words.map((found) => (found.isSided ? undefined : found)),
  )
  // Beside other coordinates, `lat s` and `lon e` may be their errors.
  if (coordinateKinds(plain).length > 0 || !words.some(({ isSided }) => isSided)) return plain
  const isBeside = ({ isSided, word }: Word) =>
    isSided && (latitudeWords.has(word) ? plain.latitude : plain.longitude) !== undefined
  return columnsAmong(
    header,
    words.map((found) => (isBeside(found) ? undefined : found)),
  )
}

function columnsAmong(header: readonly string[], named: readonly (Word | undefined)[]): Columns {
  const byWord = new Map<string, Column[]>()
  for (const [index, cell] of header.entries()) {
    const found = named[index]
    if (!found || found.word === '') continue
    const { isSided: _, word, ...rest } = found
    const same = byWord.get(word) ?? []
    same.push({ index, name: withoutMarks(cell), word, ...rest })
    byWord.set(word, same)
  }
  const columns: Columns = {}
  for (const [role, words] of roles) {
    const found = words.flatMap((word) => byWord.get(word) ?? [])
    if (found.length > 0) columns[role] = found
  }
  // Beside h, which is above the ellipsoid, H is the height above the sea.
  const [low, high] = ['h', 'H'].map((letter) =>
    columns.h?.filter(({ word, name }) => word === 'h' && name.startsWith(letter)),
  )
  if (low?.length && high?.length) {
    columns.h = columns.h!.filter((column) => !high.includes(column))
    columns.z = [...(columns.z ?? []), ...high]
  }
  // Beside a column that says ellipsoidal, a plain H is another height.
  const [plain, explicit] = [true, false].map((isPlain) => columns.h?.filter(({ word }) => (word === 'h') === isPlain))
  if (plain?.length && explicit?.length) {
    columns.h = explicit
    columns.z = [...(columns.z ?? []), ...plain]
  }
  // Elsewhere, a level may be the floor of a building.
  const level = byWord.get('level')
  if (level && byWord.has('eastings') && byWord.has('northings')) columns.z ??= level
  return columns
}

export type CoordinateKind = 'geodetic' | 'grid' | 'plane' | 'position'

/** The possible coordinate pairs of a file's columns, best first: latitude and longitude before grid coordinates. */
export function coordinateKinds(columns: Columns): CoordinateKind[] {
  const kinds: CoordinateKind[] = []
  if (columns.latitude && columns.longitude) kinds.push('geodetic')
  if (columns.northing && columns.easting) kinds.push('grid')
  if (columns.x && columns.y) kinds.push('plane')
  if (columns.position) kinds.push('position')
  return kinds
}

const separators = [/[,，;\t|]/, /\s+/]
const cellsOf = (line: string, separator: RegExp): string[] =>
  line.split(separator).map((cell) => cell.replace(/^\s*"|"\s*$/g, ''))
const numbersAmong = (cells: readonly string[]): number =>
  cells.filter((cell) => /^\s*[+-]?\d+(?:[.,]\d+)?\s*$/.test(cell.slice(0, MAX_HEADER))).length
const wordsAmong = (cells: readonly string[]): number =>
  cells.filter((cell) => knownWords.has(plainWord(cell).word)).length

/** `X (północ)`: known words in brackets. */
const bracketsAmong = (cells: readonly string[]): number =>
  cells.filter((cell) => knownWords.has(fold(/[([]([^()[\]]{2,40})[)\]]/.exec(cell.slice(0, MAX_HEADER))?.[1] ?? '')))
    .length

const headerWordsAmong = (cells: readonly string[]): number => wordsAmong(cells) + bracketsAmong(cells)

/** The largest number of words of headers in a line, split by any common delimiter. */
export const headerWordsIn = (line: string): number =>
  line.length > MAX_LINE ? 0 : Math.max(...separators.map((by) => headerWordsAmong(cellsOf(line, by))))

/** Whether a line, split by any common delimiter, is a header: it names a pair of coordinates and has no numbers. */
export function isHeaderLine(line: string): boolean {
  if (line.length > MAX_LINE) return false
  return separators.some((separator, i) => {
    const cells = cellsOf(line, separator)
    // One number may be part of a header; two are a row, also if words of its last text are those of axes.
    if (separators.slice(0, i + 1).some((one) => numbersAmong(cellsOf(line, one)) > 1)) return false
    const kinds = coordinateKinds(columnsOf(cells))
    if (i === 0) return cells.length > 1 && kinds.length > 0
    // Words of a sentence are not a header because of two letters in it.
    return wordsAmong(cells) * 2 >= cells.length && kinds.some((kind) => kind !== 'position')
  })
}
