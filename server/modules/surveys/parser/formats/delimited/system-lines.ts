import { crsTextOf } from '../../../../reference-systems/crs-text.ts'

/** Maximum lines of a definition. WKT 2 with areas and remarks takes about 100, PROJJSON about 300. */
const MAX_LINES = 400
const MAX_CHARACTERS = 32 * 1024

const WKT =
  /(?:PROJCS|PROJCRS|PROJECTEDCRS|GEOGCS|GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS|COMPD_CS|COMPOUNDCRS|GEOCCS|BOUNDCRS)\s{0,4}\[/
const COMMENT_MARK = /^[\s#!%]{0,20}/
const DATUM_CODE = 'EPSG:4326'

/** A reference system defined in the file, and its number of lines. `isDatum`: it is WGS84 alone. */
export type SystemLines = { system: string; lines: number; isDatum: boolean }

/**
 * The reference system that begins in line `at`: WKT and PROJJSON over several lines, with or without comment signs,
 * and the definition as written. Other texts are passed to `crsTextOf`.
 */
export function systemAt(lines: readonly string[], at: number): SystemLines | undefined {
  const first = lines[at]!
  if (first.length > MAX_CHARACTERS) return undefined
  const wkt = WKT.exec(first)
  if (wkt) {
    const found = balanced(lines, at, wkt.index, '[', ']')
    if (found) return described(found)
  }
  const brace = /^[\s#!%]{1,20}(?:[A-Za-z ]{1,30}[:=] ?)?\{/.exec(first)
  if (brace && first.trimStart().startsWith('#')) {
    const found = balanced(lines, at, brace[0].length - 1, '{', '}')
    if (found && isProjJson(found.text)) return { system: found.text, lines: found.lines, isDatum: false }
  }
  const named = crsTextOf(first.trim())
  return named === undefined ? undefined : { system: named, lines: 1, isDatum: named === DATUM_CODE }
}

/** WGS84 in degrees is often only the datum, and a projection follows. */
function described({ text, lines }: { text: string; lines: number }): SystemLines {
  const isDatum =
    text.startsWith('GEOG') && !text.includes('TOWGS84') && /\[\s*"EPSG"\s*,\s*"?4326"?\s*\]\s*\]$/.test(text)
  return { system: isDatum ? DATUM_CODE : text, lines, isDatum }
}

/** The text from `start` in line `at` to its closing bracket, without comment signs; ignores brackets in quotes. */
function balanced(lines: readonly string[], at: number, start: number, open: string, close: string) {
  let text = ''
  let depth = 0
  let isQuoted = false
  for (let i = at; i < lines.length && i - at < MAX_LINES; i++) {
    const line = i === at ? unquoted(lines[i]!, start) : lines[i]!.replace(COMMENT_MARK, '')
    if (text.length + line.length > MAX_CHARACTERS) return undefined
    for (let c = 0; c < line.length; c++) {
      if (line[c] === '"') isQuoted = !isQuoted
      else if (isQuoted) continue
      else if (line[c] === open) depth++
      else if (line[c] === close && --depth === 0) return { text: text + line.slice(0, c + 1), lines: i - at + 1 }
    }
    text += line.trimEnd() + (open === '{' ? '\n' : '')
  }
  return undefined
}

/** A definition in a table cell has doubled quotes. */
const unquoted = (line: string, start: number): string => {
  const text = line.slice(start)
  return /\[\s?""[^"]/.test(text.slice(0, 100)) ? text.replaceAll('""', '"') : text
}

function isProjJson(text: string): boolean {
  try {
    const { type } = JSON.parse(text)
    return typeof type === 'string' && type.endsWith('CRS')
  } catch {
    return false
  }
}
