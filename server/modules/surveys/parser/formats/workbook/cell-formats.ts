import { unitOf } from '../../rows/values/units.ts'
import type { Entry } from '../zip/archive.ts'
import { walkPart } from './parts.ts'

/**
 * What a number format shows: a time, which is stored in days, or a unit of length behind the number. `clock` is a time
 * without its full days. `number` is a plain one with letters in its format, which GDAL could take for those of a time.
 */
export type CellFormat = 'time' | 'clock' | 'number' | { unit: string }

/** Built-in formats of times (ECMA-376 part 1, 18.8.30). */
const CLOCKS = new Set([18, 19, 20, 21, 45, 47])
const ELAPSED = 46

/**
 * The formats of cells by the index of their style; those of plain numbers and of dates are absent.
 * @throws SurveyFileError UNREADABLE_FILE if the styles are not well-formed
 */
export function cellFormats(entries: readonly Entry[]): Map<number, CellFormat> {
  const codes = new Map<number, string>()
  const formats = new Map<number, CellFormat>()
  let [index, isCell] = [0, false]
  const visit = {
    open(name: string, attributes: Record<string, string>) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      else if (name === 'cellXfs') isCell = true
      else if (name === 'xf' && isCell) {
        const id = Number(attributes.numFmtId)
        const code = codes.get(id)
        const format = code === undefined ? builtIn(id) : formatOf(code)
        if (format) formats.set(index, format)
        index++
      }
    },
    close(name: string) {
      if (name === 'cellXfs') isCell = false
    },
  }
  for (const _ of walkPart(
    entries.find(({ name }) => /^xl\/styles\.xml$/i.test(name)),
    visit,
  ));
  return formats
}

const builtIn = (id: number): CellFormat | undefined => (id === ELAPSED ? 'time' : CLOCKS.has(id) ? 'clock' : undefined)

/** Texts, escaped characters, spaces and fillings in a format. */
const LITERALS = /"[^"]*"|\\.|_.|\*./g
/** Colours, locales and conditions, but not elapsed times such as `[h]`. */
const BRACKETS = /\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi
const CONDITION = /\[[<>=]/

/** The sections of a format for numbers; that of texts, which has an `@`, and empty ones do not count. */
function sectionsOf(code: string): string[] {
  const sections = code.match(/(?:"[^"]*"|\\.|\[[^\]]*\]|[^;])+/g) ?? []
  return sections.slice(0, 3).filter((section) => !section.replace(LITERALS, '').includes('@'))
}

const withoutTexts = (section: string) => section.replace(LITERALS, '').replace(BRACKETS, '')

function formatOf(code: string): CellFormat | undefined {
  const sections = sectionsOf(code)
  const isTime = (section: string) => {
    const plain = withoutTexts(section)
    return /[hs]/i.test(plain) && !/[yd]|general/i.test(plain)
  }
  const isDate = sections.some((section) => /[yd]/i.test(withoutTexts(section)))
  const other = !isDate && /[hsyd]/i.test(code) ? 'number' : undefined
  const isConditional = CONDITION.test(code.replace(LITERALS, ''))
  if (sections.length > 0 && (isConditional ? sections.every(isTime) : isTime(sections[0]!)))
    return sections.some((section) => /\[[hms]/i.test(withoutTexts(section))) ? 'time' : 'clock'
  if (isConditional) return other
  const [first, ...others] = sections.map(unitIn)
  return first !== undefined && others.every((unit) => unit === first) ? { unit: first } : other
}

/** The unit behind the number of a section; none if the section scales, by a comma at the end or per cent. */
function unitIn(section: string): string | undefined {
  const plain = section.replace(LITERALS, '').replace(BRACKETS, '').trim()
  if (!/[0#?]$/.test(plain) || plain.includes('%')) return undefined
  const unit = /(?:"([^"]{1,12})"|((?:\\.){1,6}))\s*$/.exec(section)
  const word = (unit?.[1] ?? unit?.[2]?.replaceAll('\\', '') ?? '').trim()
  return unitOf(word) === undefined ? undefined : word
}
