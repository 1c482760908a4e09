import { MAX_LINE } from './crs-text.ts'

/** What a line calls a datum, an ellipsoid or a reference system, in the languages of headers. */
const LABEL =
  /^[^\p{L}]{0,20}(?:[\p{L}]{1,20}[ -]){0,2}(?:datum\p{L}{0,4}|датум|ell?ipso[iï]d\p{L}{0,3}|spheroid|sf[eé]roide|esferoide|эллипсоид|system\p{L}{0,3}|sist[eè]m\p{L}{0,3}|syst[eè]me?|\p{L}{0,20}system|r[eé]f[eé]rentiel|marco|crs|srs|система|układ|測地系|基準系|坐标系统?|坐標系統?|座標系)(?: \p{L}{1,20}){0,3} ?[:：=,;\t ]/iu

/** Datums tens of metres and more away from WGS 84, as people write them. */
const DATUMS = [
  'NAD[ -]?(?:19)?27|North American (?:Datum )?(?:of )?1927|ED[ -]?(?:19)?(?:50|79|87)|European (?:Datum )?(?:of )?19(?:50|79|87)',
  'DHDN|Potsdam|Rauenberg|MGI|Hermannskogel|OSGB(?:[ -]?(?:19)?36)?|Ireland 1965|TM[ -]?(?:65|75)|BD[ -]?72|Amersfoort',
  'S-?42|[SС][KК][ -]?(?:19)?(?:42|63|95)|Pulkovo(?: ?19(?:42|95))?|Пулково|S-?JTSK|HD[ -]?72|KKJ|RT[ -]?90|Hjorsey(?: ?55)?|NTF|Nouvelle Triangulation',
  'CH[ -]?1903\\+?|Monte[ -]?Mario|Roma[ -]?(?:19)?40|Datum[ -]?(?:73|Lisboa)|GGRS[ -]?87|EGSA[ -]?87',
  'Tokyo|旧測地系|北京54|西安80|Beijing[ -]?(?:19)?54|Xian[ -]?(?:19)?80|Hu[ -]Tzu[ -]Shan|PRS[ -]?92|Kertau|Timbalai|Kalianpur',
  'AGD[ -]?(?:19)?(?:66|84)|NZGD[ -]?(?:19)?49|Arc[ -]?19[56]0|Adindan|Merchich|Nord Sahara|Ain el Abd|Nahrwan|QND[ -]?95|Schwarzeck',
  'P?SAD[ -]?(?:19)?(?:56|69)|South American (?:Datum )?(?:of )?19(?:56|69)|C[oó]rrego Alegre|Chu[aá]|Campo Inchauspe|Old Hawaiian|Guam 1963',
].join('|')
/** Datums and ellipsoids whose names also mean something else: they count only behind a label. */
const LABELLED = [
  'Lisboa|Luzon(?: 1911)?|Cape(?! Town)|Minna|Carthage|Accra|Bogot[aá](?: 1975)?|La Canoa|Puerto Rico|Indian(?: 19(?:54|60|75))?',
  'Clarke|Bessel|Everest|Hayford|International (?:Ellipsoid )?19(?:09|10|24)|Krass?[ov]\\p{L}*|Красовск\\p{L}*|Бессел\\p{L}*|(?:Modified )?Airy|Helmert|Australian National',
].join('|')
const IN_TEXT = new RegExp(`(?:^|[^\\p{L}\\d])(?:${DATUMS}|${LABELLED})(?![\\p{L}\\d])|(?<!世界)日本測地系(?!20)`, 'iu')
const WHOLE = new RegExp(`^(?:${DATUMS})$`, 'iu')

/** Whether a name can only be that of a datum far from WGS 84. */
export const isDistantDatum = (name: string): boolean => name.length <= MAX_LINE && WHOLE.test(name)

/** Datums of satellites, near WGS 84. */
const SATELLITE =
  /WGS|ETR[SF]|ITR[SF]|IGS|IGB ?\d|GRS ?(?:19)?80|NAD ?(?:19)?83|GDA|SIRGAS|POSGAR|NZGD[ -]?2000|RGF|JGD|CGCS|KGD|TWD ?97|EUREF|SWEREF|世界測地系|HTRS|D96/i

/** Whether a name or a line names a datum of satellites, also beside others. */
export const namesSatelliteDatum = (text: string): boolean => SATELLITE.test(text)

/**
 * The datum or ellipsoid far from WGS 84 that a line above a table names, as in `Ellipsoid: Bessel 1841`, `Датум: СК-42`;
 * undefined for other lines, among them those that also name a datum of satellites: they compare datums, or name a
 * transformation.
 */
export function distantDatumIn(line: string): string | undefined {
  if (line.length > MAX_LINE || namesSatelliteDatum(line)) return undefined
  const text = line.replace(/^[#\s"'/!%]+|[,;|\s"'*]+$/g, '')
  const label = LABEL.exec(text)?.[0]
  const rest = label === undefined ? '' : text.slice(label.length)
  return IN_TEXT.test(rest) ? rest.trim() : undefined
}
