/** What a column of a survey file can mean. `z` is a height of unknown datum, `x` and `y` are axes of unknown kind. */
export type Role =
  | 'title'
  | 'latitude'
  | 'longitude'
  | 'northing'
  | 'easting'
  | 'x'
  | 'y'
  | 'h'
  | 'altitude'
  | 'z'
  | 'aprilTagId'
  | 'description'
  | 'gcpType'
  | 'gcpData'
  | 'yaw'
  | 'pitch'
  | 'roll'
  | 'photoUrls'
  | 'accuracy'
  | 'accuracyH'
  | 'accuracyEasting'
  | 'accuracyNorthing'
  | 'accuracyV'
  | 'crs'

/** A column of the file: where, what the header calls it, and metres to one of the unit it names. */
export type Column = { index: number; name: string; unit: number | undefined }

export type Columns = Partial<Record<Role, Column[]>>

/** Header words by meaning, best first, in the form `plainWord` leaves them. English, German, French, Spanish, Polish. */
const aliases: Record<Role, string> = {
  title:
    'title pointname pointid pointnumber gcplabel gcpname name label point gcp station marker bezeichnung punktnummer punkt nom nombre nazwa id no nr number num p',
  latitude:
    'latitude lat ylatitude latwgs84 latitudewgs84 latitudedeg latdeg gpslatitude breite breitengrad latitud szerokosc',
  longitude:
    'longitude lon lng long xlongitude lonwgs84 longitudewgs84 longitudedeg londeg gpslongitude lange laenge langengrad laengengrad longitud dlugosc',
  northing: 'northing north n ynorth ynorthing hochwert nord norte',
  easting: 'easting east e xeast xeasting rechtswert est este',
  x: 'x geox xcoord xcoordinate coordx',
  y: 'y geoy ycoord ycoordinate coordy',
  h: 'h ellipsoidalheight ellipsoidheight ellipsoidalm ellipsoidal hae heightellipsoid',
  altitude: 'altitude elevation elev orthometricheight elevationmsl heightmsl msl alt zaltitude zelevation',
  z: 'z height hohe hoehe geoz zcoord hauteur altura wysokosc',
  aprilTagId: 'apriltagid apriltag tagid markerid tag fiducial fiducialid',
  description:
    'description desc codedescription notes note comment comments remark remarks beschreibung bemerkung code',
  gcpType: 'gcptype',
  gcpData: 'gcpdata',
  yaw: 'yaw',
  pitch: 'pitch',
  roll: 'roll',
  photoUrls: 'photourls photourl photos photo images image imageurl picture pictures photo1 photo2 photo3',
  accuracy: 'accuracy accuracyxyz',
  accuracyH: 'accuracyh accuracyhorz accuracyhorizontal horzaccuracy horizontalaccuracy hrms lateralrms hacc',
  accuracyEasting: 'eastingrms',
  accuracyNorthing: 'northingrms',
  accuracyV: 'accuracyv accuracyvert accuracyvertical vertaccuracy verticalaccuracy vrms elevationrms vacc',
  crs: 'crs epsg srid csname coordinatesystem',
}

const FOOT = 0.3048
/** The US survey foot, 1200/3937 m (NIST SP 811, B.6). */
const US_FOOT = 1200 / 3937
const units: Record<string, number> = {
  m: 1,
  meter: 1,
  meters: 1,
  metre: 1,
  metres: 1,
  cm: 0.01,
  mm: 0.001,
  km: 1000,
  ft: FOOT,
  feet: FOOT,
  foot: FOOT,
  ift: FOOT,
  ftus: US_FOOT,
  usft: US_FOOT,
  usfeet: US_FOOT,
  ussurveyfoot: US_FOOT,
}

/** Metres to one of a named unit, or undefined for a word that is no length. */
export const unitOf = (word: string): number | undefined => units[word.toLowerCase().replace(/[\s._-]/g, '')]

/** A header cell longer than this means nothing, and no expression runs on it. */
const MAX_HEADER = 255

const withoutMarks = (header: string): string => header.trim().replace(/^[\uFEFF\s#]+/, '')

/** `  #Höhe_(m)` → [`hohe`, 1]: without marks, case, accents and gaps, the unit set apart. */
function plainWord(header: string): [word: string, unit: number | undefined] {
  if (header.length > MAX_HEADER) return ['', undefined]
  const text = withoutMarks(header.normalize('NFKC'))
  const bracket = /[([]([^()[\]]*)[)\]]/.exec(text)?.[1]
  const suffix = /[\s_-](m|ft|ftUS|usft|feet|met(?:er|re)s?)$/i.exec(text)
  const unit = unitOf(bracket ?? suffix?.[1] ?? '')
  const bare = suffix && unit !== undefined && bracket === undefined ? text.slice(0, suffix.index) : text
  const word = bare
    .replace(/[([][^()[\]]*[)\]]/g, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace('ł', 'l')
    .replace(/[\s_./-]/g, '')
  return [word, unit]
}

/** The meaning of each column by its header, whatever its order, case or language; unknown headers mean nothing. */
export function columnsOf(header: readonly string[]): Columns {
  const byWord = new Map<string, Column[]>()
  for (const [index, cell] of header.entries()) {
    const [word, unit] = plainWord(cell)
    if (word === '') continue
    const same = byWord.get(word) ?? []
    same.push({ index, name: withoutMarks(cell), unit })
    byWord.set(word, same)
  }
  const columns: Columns = {}
  for (const [role, list] of Object.entries(aliases) as [Role, string][]) {
    const found = list.split(' ').flatMap((alias) => byWord.get(alias) ?? [])
    if (found.length > 0) columns[role] = found
  }
  return columns
}

export type CoordinateKind = 'geodetic' | 'grid' | 'plane'

/** Which pair of coordinates a file's columns hold. Latitude and longitude win over grid coordinates beside them. */
export function coordinateKind(columns: Columns): CoordinateKind | undefined {
  if (columns.latitude && columns.longitude) return 'geodetic'
  if (columns.northing && columns.easting) return 'grid'
  return columns.x && columns.y ? 'plane' : undefined
}

/** Whether a line, cut in any usual way, is a header: it names a pair of coordinates. */
export const isHeaderLine = (line: string): boolean =>
  [/[,;\t|]/, /\s+/].some((separator) => coordinateKind(columnsOf(line.split(separator))) !== undefined)
