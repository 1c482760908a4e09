import { heightDatumIn } from './heights/datum-aliases.ts'

/** Maximum length of lines and names; no expression runs on longer ones. Only WKT may be longer. */
export const MAX_LINE = 512
const MAX_NAME = 255
const MAX_WKT = 32 * 1024

const code = String.raw`(\d{4,6})`
/** Codes as written by OpenDroneMap, QGIS, OGC and people, with an optional vertical system. */
const epsg = new RegExp(
  `^(?:[^:]{0,40}[:=] ?)?(?:\\+init=)?EPSG ?(?:code)? ?[:= ] ?:? ?${code}(?: ?\\+ ?(?:EPSG:)?${code})?(?:[ ,;/(–-].*)?$`,
  'i',
)
const epsgShort = new RegExp(`^EPSG_?${code}$`, 'i')
const epsgInside = new RegExp(`[([{] ?EPSG ?:{0,2} ?${code}(?: ?\\+ ?(?:EPSG:)?${code})? ?[)\\]}]`, 'i')
/** Codes of other registers, as the whole text: `ESRI:102100`, `IGNF:LAMB93`. */
const otherRegister = /^(ESRI|IGNF|OGC|NKG|IAU_2015) ?: ?(\w{1,40})$/i
/** In a remark, a code may be anywhere: `# points of June; EPSG 25832, heights DHHN2016`, `#, CRS, EPSG:2169,`. */
const epsgInRemark = new RegExp(`(?:^|[\\s,;:/])EPSG ?[: ]? ?${code}(?=$|[\\s,;./)])`, 'i')
const urn = new RegExp(`urn:ogc:def:crs(?:,crs)?:EPSG:[^:]{0,10}:${code}`, 'i')
const address = new RegExp(`opengis\\.net/def/crs/EPSG/[^/]{1,10}/${code}`, 'i')
const crs84 = /(?:^|[:/])CRS:?84h?$/i
const longlat = /^WGS ?-?_?(?:19)?84(?: ?[/,]? ?(?:long?[ -/]?lat|lat[ -/]?long?))?$/i
const wkt = /(PROJCS|PROJCRS|PROJECTEDCRS|GEOGCS|GEOGCRS|GEODCRS|GEODETICCRS|COMPD_CS|COMPOUNDCRS|GEOCCS|BOUNDCRS)\s*\[/

/** Labels of a reference system. */
const label =
  /^(?:(?:output |target |project |projected |horizontal |map |geodetic )?(?:crs|srs|srid|epsg|cs name|coordinate (?:reference )?system|coordinatesystem|reference system|system|projection|grid|zone|datum|koordinatensystem|koordinatenreferenzsystem|koordinatenbezugssystem|bezugssystem|referenzsystem|lagesystem|lagebezug(?:ssystem)?|lagereferenzsystem|systeme(?: (?:de coordonnees|de reference|geodesique))?|referentiel(?: geodesique)?|sistema(?: (?:geodesico|de (?:coordenadas|referencia)))?|sistema di (?:coordinate|riferimento)|coordinatenstelsel|coordinaatsysteem|uklad(?: wspolrzednych)?|koordinatsystem(?: i plan)?|souradnicovy system|sistem(?:ul)? de coordonate|koordinatni (?:sustav|sistem)|koordinaattijarjestelma|koordinata ?rendszer|vetulet|projektion|projekcja|proiezione|proyeccion|projecao|map projection|система координат|датум|座標系統?|測地系|坐标系统?))(?:[ -](?:name|code))?\s?(?:[:：=][\s,;|"']{0,20}|[,;\t|][\s,;|"']{0,20})/i

/** The day of a survey: `Datum: 04.05.2024` in German, Dutch and other languages. */
const DATE = /^\d{1,4}[-./ ]{1,2}(?:\d{1,2}|\p{L}{3,10})[-./ ]{1,2}\d{1,4}(?![\d.,]{3})/u

/** A line without comment signs, quotes and trailing delimiters; undefined if it is too long. Tabs part cells. */
function bareLine(line: string, max: number): string | undefined {
  if (line.length > max) return undefined
  let end = line.length
  while (end > 0 && /[,;|\s"'*]/.test(line[end - 1]!)) end--
  const text = line
    .slice(0, end)
    .replace(/^[#\s"'/!%]+/, '')
    .replace(/\s+/g, (gap) => (gap.includes('\t') ? '\t' : ' '))
  return text === '' ? undefined : text
}

/**
 * Parses a reference system from a line, a cell or a parameter: a code, PROJ string, WKT or PROJJSON, in a form that
 * `CrsTable.find` accepts. Undefined if there is none. Names of systems need the register: see `crsNameOf`.
 */
export function crsTextOf(line: string): string | undefined {
  const described = wktOf(line) ?? projJsonOf(line)
  if (described) return described
  const cells = bareLine(line, MAX_LINE)
  if (cells === undefined || cells.length > MAX_NAME) return undefined
  const [text, bare] = [cells, cells.replace(label, '')].map((part) => part.replaceAll('\t', ' ')) as [string, string]
  const found =
    epsg.exec(text) ??
    epsg.exec(bare) ??
    epsgShort.exec(text) ??
    urn.exec(text) ??
    address.exec(text) ??
    epsgInside.exec(text)
  const remarked = /^\s*(?:[#%!]|\/\/)/.test(line) ? epsgInRemark.exec(text) : undefined
  if (found || remarked) return codeIn((found ?? remarked)!)
  if (/^(?:epsg|srid|crs)\b/i.test(text) && new RegExp(`^${code}$`).test(bare)) return `EPSG:${Number(bare)}`
  const other = otherRegister.exec(bare)
  if (other) return /^CRS84h?$/i.test(other[2]!) ? 'EPSG:4326' : `${other[1]!.toUpperCase()}:${other[2]}`
  const zone = utmOf(bare)
  if (zone) return zone
  if (longlat.test(bare) || crs84.test(bare)) return 'EPSG:4326'
  return /^\+proj=\w+/.test(bare) ? bare : undefined
}

/** UTM of WGS84 if no datum is named: `UTM 33N`, `WGS84 / UTM zone 33 N`, `UTM-33, northern hemisphere`. */
function utmOf(text: string): string | undefined {
  const parts =
    /^(?:WGS[ _-]?(?:19)?84[ /_,-]*)?UTM[ _-]?(?:zone)?[ _:-]?(\d{1,2})[ _,-]{0,3}([C-HJ-NP-X]|north|south|northern|southern)?(?:[ern]{0,3} hemisphere)?(?:[ ,/(]+WGS ?-?84\)?)?$/i.exec(
      text,
    )
  const zone = Number(parts?.[1])
  if (!parts?.[2] || !(zone >= 1 && zone <= 60)) return undefined
  // A single letter except N and S is a latitude band, with the southern ones before N; S alone means south.
  const south = /^(?:[C-HJ-M]|S|south\w*)$/i.test(parts[2])
  return `EPSG:${(south ? 32700 : 32600) + zone}`
}

/** The name of a reference system in a line: the text after a label such as `Coordinate system:`, otherwise the line. */
export function crsNameOf(line: string): { name: string; labelled: boolean } | undefined {
  const text = bareLine(line, MAX_LINE)
  if (text === undefined) return undefined
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('ø', 'o')
  const start = label.exec(plain)?.[0].length ?? 0
  const name = plain
    .slice(start)
    .replaceAll('\t', ' ')
    .replace(/^["' ]+|["' ]+$/g, '')
  return name === '' || name.length > MAX_NAME || DATE.test(name)
    ? undefined
    : { name: withoutHeights(name), labelled: start > 0 }
}

/** `EUREF89 UTM sone 32, NN2000`, `RD/NAP`, `RGF93 CC49 - NGF-IGN69`, `S-JTSK; vyska: Bpv`: the name before that of a vertical datum. */
function withoutHeights(name: string): string {
  const [, plane, vertical] = /^(.{2,200}?)(?: ?[;,] ?| [/–-] |(?<! )\/(?! ))([^;,/+]{2,60})$/.exec(name) ?? []
  return plane && heightDatumIn(vertical!) ? plane : name
}

/** A WKT text, unchanged: the file's own definition takes precedence over its code. */
function wktOf(line: string): string | undefined {
  if (line.length > MAX_WKT) return undefined
  const start = wkt.exec(line)
  return start ? balanced(line.slice(start.index)) : undefined
}

/** `EPSG:25832`, or with the code of a vertical system `EPSG:25832+7837`. */
const codeIn = ([, plane, vertical]: RegExpExecArray): string =>
  `EPSG:${Number(plane)}${vertical ? `+${Number(vertical)}` : ''}`

/** A reference system as PROJJSON. */
function projJsonOf(line: string): string | undefined {
  const text = line.trim().replace(/^(?:#|\/\/|%|!)+\s*/, '')
  return text.length <= MAX_WKT && /^\{[^{}]{0,2000}"type"\s*:\s*"\w{0,40}CRS"/.test(text) ? text : undefined
}

/** A text up to the bracket that closes its first one; undefined if it is unclosed. */
function balanced(text: string): string | undefined {
  let depth = 0
  for (let at = text.indexOf('['); at < text.length; at++) {
    if (text[at] === '[') depth++
    else if (text[at] === ']' && --depth === 0) return text.slice(0, at + 1)
  }
  return undefined
}
