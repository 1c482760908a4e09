/** Maximum length of a name. */
const MAX_NAME = 255

/** Datum names of other registers (mainly ESRI), and words without meaning. */
const sameWords: [RegExp, string][] = [
  [/worldgeodeticsystem1984|wgs1984/g, 'wgs84'],
  [/europeanterrestrialreferencesystem1989|etrs1989/g, 'etrs89'],
  [/nad1983/g, 'nad83'],
  [/scrs(?!\d)/g, 'csrs'],
  [/nad1927/g, 'nad27'],
  [/osgb1936/g, 'osgb36'],
  [/rgf1993/g, 'rgf93'],
  [/gda1994/g, 'gda94'],
  [/ed1950/g, 'ed50'],
  [/etrs89poland/g, 'etrf2000pl'],
  [/^euref89/, 'etrs89'],
  [/^(?:ск|пулково(?:19)?)42$/, 'pulkovo1942'],
  [/^(?:ск|пулково(?:19)?)95$/, 'pulkovo1995'],
  [/^de(?=etrs89|dhdn)/, ''],
  [/^etrs(?:89)?tm35fin(?:en)?$/, 'etrs89tm35finen'],
  [/^etrs(?:89)?gk(\d\d)$/, 'etrsgk$1fin'],
  [/^(?:puwg|pl|uklad)?1992$/, 'etrf2000plcs92'],
  [/^(?:puwg|pl|uklad)2000s?([5-8])$/, 'etrf2000plcs2000$1'],
  [/^nztm(?:2000)?$/, 'nzgd2000newzealandtransversemercator2000'],
  [/^(?:ntf(?:paris)?)?lambert(?:ii|2)(?:etendu|e)$/, 'ntfparislambertii'],
  [/^utm84([1-9]|[1-6]\d)([ns])$/, 'wgs84utm$1$2'],
  [/^utm(27|83)([1-9]|[1-6]\d)$/, 'nad$1utm$2n'],
  [/^dhdn3?(?:gk|gausskru?e?ger|gauss3d)([2-5])$/, 'dhdn3degreegausskruger$1'],
  [/^dbrefgk([2-5])$/, 'dbref3degreegausskruger$1en'],
  [/^mgigk(m28|m31|m34|west|central|east)$/, 'mgiaustriagk$1'],
  [/^lambert(72|2008)$/, 'belgianlambert$1'],
  [/^(?:etrs89)?pttm06(?:etrs89)?$/, 'etrs89portugaltm06'],
  [/^(?:l|lamb)93$/, 'lambert93'],
  [/^(?:lambert(?:93)?)?(?:cc|coniqueconforme)(4[2-9]|50)$/, 'rgf93cc$1'],
  [/^rgf93(?:lambert(?:93)?)?(?:cc|coniqueconforme)(4[2-9]|50)\d?$/, 'rgf93cc$1'],
  [/^(?:swissgrid|mn)(95|03)$/, 'lv$1'],
  [/^(?:(?:montemario|roma(?:19)?40)?gaussboaga|roma(?:19)?40)ovest$/, 'montemarioitaly1'],
  [/^(?:(?:montemario|roma(?:19)?40)?gaussboaga|roma(?:19)?40)est$/, 'montemarioitaly2'],
  [/^(etrs89|ed50)(?:utm)?h(\d\d)n?$/, '$1utm$2n'],
  [/^krovak$/, 'sjtskkrovakeastnorth'],
  [/^(?:egsa|εγσα)87$/, 'ggrs87greekgrid'],
  [/^hk(?:19)?80grid$/, 'hongkong1980gridsystem'],
  [/^(?:magnasirgas(?:2018)?origennacional|ctm12)$/, 'magnasirgas2018origennacional'],
  [/^(etrs89|regven|regcan95)(\d\d)n?$/, '$1utm$2n'],
  [/^(psad56|wgs84)(\d\d)s(?:ur|ul)?$/, '$1utm$2s'],
  [/^posgar(?:20)?07([1-7])$/, 'posgar2007argentina$1'],
  [/^sirgas2000(\d\ds)(?:ul|ur)?$/, 'sirgas2000utm$1'],
  [/^(?:rd|rijksdriehoek(?:s(?:stelsel|coordinaten)?)?)$/, 'amersfoortrdnew'],
  [/^(?:wg|wgs84lo)(\d\d)$/, 'hartebeesthoek94lo$1'],
  [/^lest(?:97)?$/, 'estonianof1997'],
  [/^htrs96(?:tm)?$/, 'htrs96croatiatm'],
  [/^eov$/, 'hd72eov'],
  [/^itm$/, 'irenet95irishtransversemercator'],
  [/^(?:bng|(?:os)?nationalgrid|(?:osgb36)?ostn(?:02|15))$/, 'osgb36britishnationalgrid'],
  [/^mga(\d\d)gda(2020|94)$/, 'gda$2mga$1'],
  [/^mga(2020|94)z?(\d\d)$/, 'gda$1mga$2'],
  [/^mtm(\d{1,2})(nad83(?:csrs)?)$/, '$2mtm$1'],
  [/^((?:etrs89|nad83(?:2011|csrs)?|ed50|regcan95|rdn2008)utm\d{1,2})$/, '$1n'],
  [/^etrf2000plcs20005$/, 'etrf2000plcs200015'],
  [/^etrf2000plcs20006$/, 'etrf2000plcs200018'],
  [/^etrf2000plcs20007$/, 'etrf2000plcs200021'],
  [/^etrf2000plcs20008$/, 'etrf2000plcs200024'],
  [/stateplane/g, ''],
  [/fips\d{4}/g, ''],
  [/(?:ussurveyfeet|ussurveyfoot|usfeet|usft|feet)$/g, 'ftus'],
  [/^gcs/g, ''],
  [/northern(?:hemisphere)?$|north$|(?<=utm\d{1,2})nord$|(?<=\d\d)norte$/g, 'n'],
  [/(?<=utm\d{1,2})(?:southern(?:hemisphere)?|south|sul|sur|sud)$/g, 's'],
]
const emptyWords =
  /projectedcoordinatesystem|coordinatesystem|projection|datum|zone|huso|fuseau|fuso|sone|strefa|faja|height.*$/g

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
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}+]/gu, '')
    .replace(emptyWords, '')
  word = inOneSpelling(japaneseName(word) ?? word)
  const turned = /^utm(\d{1,2}[ns]?)((?:wgs|etrs|euref|nad|gda|sirgas|ed|rgf|sweref|itrf|jgd|csrs).*)$/.exec(word)
  const inside = /^utm((?:etrs89|ed50|wgs84|nad83|nad27|sirgas2000))(\d{1,2}[ns]?)$/.exec(word)
  if (inside) return inOneSpelling(`${inside[1]}utm${inside[2]}`)
  return turned ? inOneSpelling(`${turned[2]}utm${turned[1]}`) : word
}

/** Datums of Japan, by the words of its surveyors. 世界測地系 alone may be JGD2000 or JGD2011. */
const JAPANESE_DATUMS: [RegExp, string][] = [
  [/jgd2011|(?:測地成果|測地系)2011/, 'jgd2011'],
  [/jgd2000|(?:測地成果|測地系)2000/, 'jgd2000'],
  [/tokyo|日本測地系(?!20)|旧測地系/, 'tokyo'],
]
const MAX_JAPANESE = 60
const ROMAN = 'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix'.split(' ')

/** `世界測地系(JGD2011) 平面直角座標系 第9系`, `JGD2011 平面直角IX系` → `jgd2011japanplanerectangularcsix`. */
function japaneseName(word: string): string | undefined {
  if (word.length > MAX_JAPANESE) return undefined
  const zone = /^(.*?)(?:公共座標|平面直角)(?:座標系?)?(.*?)第?(1\d|[1-9]|[ivx]{1,5})系?((?:\p{L}+\d{0,4})?)$/u.exec(
    word,
  )
  if (!zone) return undefined
  const roman = ROMAN.includes(zone[3]!) ? zone[3] : ROMAN[Number(zone[3]) - 1]
  const said = `${zone[1]} ${zone[2]} ${zone[4]}`
  const datum = JAPANESE_DATUMS.find(([written]) => written.test(said))?.[1] ?? ''
  return roman && `${datum}japanplanerectangularcs${roman}`
}

const inOneSpelling = (word: string): string => sameWords.reduce((text, [other, own]) => text.replace(other, own), word)

type Names = readonly (readonly [code: string, name: string])[]

/** Shorter aliases, such as `955` and `DLx`, may be anything in a file. */
const MIN_ALIAS = 5
const MIN_PROJECTION = 4
/** Projections whose name is that of their method, which is the name of no system. */
const METHODS = /^(?:lambert|mercator|transversemercator)$/

/**
 * Maps normalized names to codes: names of current systems, then aliases that only one system has, and projections
 * alone (`LV95`) that only systems of one datum have, then names of deprecated systems. Also names without a version (`RGF93 v1 /
 * Lambert-93` as `RGF93 / Lambert-93`).
 */
export function namesOf(current: Names, aliases: Names, deprecated: Names): Map<string, string> {
  const byName = new Map<string, string>()
  const add = (key: string, code: string) => {
    if (key !== '' && !byName.has(key)) byName.set(key, code)
  }
  for (const [code, name] of current) {
    add(plainName(name), code)
    if (versionless(name) !== name) add(plainName(versionless(name)), code)
  }
  const alone = (name: string) => versionless(name).split(' / ')[1] ?? ''
  const datum = (name: string) => plainName(versionless(name).split(' / ')[0]!)
  const datums = new Map(current.map(([code, name]) => [code, datum(name)]))
  // Variants with other axes are one system.
  const projection = new Map(current.map(([code, name]) => [code, plainName(alone(name).replace(/ \([NEz-]+\)$/, ''))]))
  const named = [(name: string) => name, alone].flatMap((shorten) =>
    ofOneProjection(
      aliases
        .map(([code, name]): Owned => [plainName(shorten(name)), code, datums.get(code) ?? code])
        .filter(([key]) => key.length >= MIN_ALIAS && /\p{L}/u.test(key)),
      projection,
    ),
  )
  const projections = [...current, ...deprecated]
    .map(([code, name]): Owned => [plainName(alone(name)), code, datum(name)])
    .filter(([key]) => key.length >= MIN_PROJECTION && !METHODS.test(key))
  for (const [key, code] of ofOneDatum([...named, ...projections])) add(key, code)
  for (const [code, name] of deprecated) {
    add(plainName(name), code)
    if (versionless(name) !== name) add(plainName(versionless(name)), code)
  }
  return byName
}

const versionless = (name: string): string => name.replace(/ v\d\w?(?= \/|$)/, '')

type Owned = readonly [key: string, code: string, datum: string]

/** Without keys that several zones of one datum have, such as `DE_ETRS89 / UTM`. */
const ofOneProjection = (keys: readonly Owned[], projection: ReadonlyMap<string, string>): Owned[] =>
  [...Map.groupBy(keys, ([key, , datum]) => `${key} ${datum}`).values()]
    .filter((found) => new Set(found.map(([, code]) => projection.get(code))).size === 1)
    .flat()

/** The first code of each key that belongs to systems of one datum only. */
const ofOneDatum = (keys: readonly Owned[]): (readonly [key: string, code: string])[] =>
  [...Map.groupBy(keys, ([key]) => key)]
    .filter(([, found]) => new Set(found.map(([, , datum]) => datum)).size === 1)
    .map(([key, found]) => [key, found[0]![1]])
