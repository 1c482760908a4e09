/** Maximum length of a name. */
const MAX_NAME = 255

/** Datum names of other registers (mainly ESRI), and words without meaning. */
const sameWords: [RegExp, string][] = [
  [/worldgeodeticsystem1984|wgs1984/g, 'wgs84'],
  [/europeanterrestrialreferencesystem1989|etrs1989/g, 'etrs89'],
  [/nad1983/g, 'nad83'],
  [/nad1927/g, 'nad27'],
  [/osgb1936/g, 'osgb36'],
  [/rgf1993/g, 'rgf93'],
  [/gda1994/g, 'gda94'],
  [/ed1950/g, 'ed50'],
  [/etrs89poland/g, 'etrf2000pl'],
  [/^euref89/, 'etrs89'],
  [/^etrs(?:89)?tm35fin(?:en)?$/, 'etrs89tm35finen'],
  [/^(?:puwg|pl|uklad)?1992$/, 'etrf2000plcs92'],
  [/^(?:puwg|pl)2000(?:strefa)?([5-8])$/, 'etrf2000plcs2000$1'],
  [/^nztm(?:2000)?$/, 'nzgd2000newzealandtransversemercator2000'],
  [/^(?:ntf(?:paris)?)?lambert(?:ii|2)(?:etendu|e)$/, 'ntfparislambertii'],
  [/^dhdn(?:gk|gausskru?e?ger)([2-5])$/, 'dhdn3degreegausskruger$1'],
  [/^lambert(72|2008)$/, 'belgianlambert$1'],
  [/^pttm06$/, 'etrs89portugaltm06'],
  [/^l93$/, 'lambert93'],
  [/^(?:rd|rijksdriehoek(?:s(?:stelsel|coordinaten)?)?)$/, 'amersfoortrdnew'],
  [/^wg(\d\d)$/, 'hartebeesthoek94lo$1'],
  [/^htrs96(?:tm)?$/, 'htrs96croatiatm'],
  [/^eov$/, 'hd72eov'],
  [/^itm$/, 'irenet95irishtransversemercator'],
  [/^(?:bng|nationalgrid)$/, 'osgb36britishnationalgrid'],
  [/^mga(2020|94)(\d\d)$/, 'gda$1mga$2'],
  [/^((?:etrs89|nad83(?:2011|csrs)?)utm\d{1,2})$/, '$1n'],
  [/^etrf2000plcs20005$/, 'etrf2000plcs200015'],
  [/^etrf2000plcs20006$/, 'etrf2000plcs200018'],
  [/^etrf2000plcs20007$/, 'etrf2000plcs200021'],
  [/^etrf2000plcs20008$/, 'etrf2000plcs200024'],
  [/stateplane/g, ''],
  [/fips\d{4}/g, ''],
  [/(?:ussurveyfeet|ussurveyfoot|usfeet|usft|feet)$/g, 'ftus'],
  [/^gcs/g, ''],
  [/northern(?:hemisphere)?$|north$|(?<=utm\d{1,2})nord$/g, 'n'],
]
const emptyWords = /projectedcoordinatesystem|coordinatesystem|projection|datum|zone|height.*$/g

/**
 * Normalizes the name of a reference system for comparison: without case, spaces and signs, without the vertical part after
 * a separate plus, with one spelling for datums and zones: `WGS_1984_UTM_Zone_33N`, `UTM 33N (WGS 84)` → `wgs84utm33n`.
 */
export function plainName(name: string): string {
  if (name.length > MAX_NAME) return ''
  let word = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/ \+ /)[0]!
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+]/gu, '')
    .replace(emptyWords, '')
  word = inOneSpelling(word)
  const turned = /^utm(\d{1,2}[ns]?)((?:wgs|etrs|euref|nad|gda|sirgas|ed|rgf|sweref|itrf|jgd|csrs).*)$/.exec(word)
  return turned ? inOneSpelling(`${turned[2]}utm${turned[1]}`) : word
}

const inOneSpelling = (word: string): string => sameWords.reduce((text, [other, own]) => text.replace(other, own), word)

/**
 * Maps normalized names to codes; also names without a version (`RGF93 v1 / Lambert-93` as `RGF93 / Lambert-93`) and
 * projections alone if only one datum has one of that name (`LV95`).
 */
export function namesOf(names: Iterable<readonly [code: string, name: string]>): Map<string, string> {
  const byName = new Map<string, string>()
  const short = new Map<string, string | null>()
  const add = (key: string, code: string) => {
    if (key !== '' && !byName.has(key)) byName.set(key, code)
  }
  for (const [code, name] of names) {
    add(plainName(name), code)
    const versionless = name.replace(/ v\d\w?(?= \/|$)/, '')
    if (versionless !== name) add(plainName(versionless), code)
    const projection = versionless.split(' / ')[1]
    if (!projection) continue
    const key = plainName(projection)
    const datum = plainName(versionless.split(' / ')[0]!)
    const earlier = short.get(key)
    short.set(
      key,
      earlier === undefined || earlier === `${datum} ${code}` ? `${datum} ${code}` : sameDatum(earlier, datum),
    )
  }
  for (const [key, at] of short) if (at !== null && key.length >= 4) add(key, at.split(' ')[1]!)
  return byName
}

const sameDatum = (earlier: string | null, datum: string): string | null =>
  earlier?.split(' ')[0] === datum ? earlier : null
