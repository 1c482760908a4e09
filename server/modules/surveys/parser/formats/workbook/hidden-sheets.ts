import { SaxesParser } from 'saxes'
import { xmlText } from '../text/xml-text.ts'
import type { Entry } from '../zip/archive.ts'

/** The part of a workbook that says which sheets are hidden. */
const parts = { xlsx: /^xl\/workbook\.xml$/i, ods: /^content\.xml$/ }

/**
 * The names of the hidden sheets: `state` of a `sheet` (ECMA-376 part 1, 18.2.19), or `table:display` of the style of a
 * table (OpenDocument 1.3, part 3, 20.254). Empty for a workbook that is not well-formed.
 */
export function hiddenSheets(kind: keyof typeof parts, entries: readonly Entry[]): Set<string> {
  const hidden = new Set<string>()
  const styles = new Set<string>()
  let style = ''
  const part = entries.find(({ name }) => parts[kind].test(name))
  if (!part) return hidden
  const parser = new SaxesParser()
  let isDamaged = false
  parser.on('error', () => {
    isDamaged = true
  })
  parser.on('opentag', ({ name, attributes }) => {
    const tag = bare(name)
    const { [attribute(attributes, 'name')]: sheet = '' } = attributes
    if (kind === 'xlsx') {
      if (tag === 'sheet' && /^(?:h|veryH)idden$/.test(attributes.state ?? '')) hidden.add(sheet)
    } else if (tag === 'style') style = sheet
    else if (tag === 'table-properties' && attributes[attribute(attributes, 'display')] === 'false') styles.add(style)
    else if (tag === 'table' && styles.has(attributes[attribute(attributes, 'style-name')] ?? '')) hidden.add(sheet)
  })
  for (const piece of xmlText(part.unpack())) {
    parser.write(piece)
    if (isDamaged) return new Set()
  }
  return hidden
}

const bare = (name: string): string => name.slice(name.indexOf(':') + 1)

/** An attribute by its name without a prefix. */
export const attribute = (attributes: Record<string, string>, name: string): string =>
  Object.keys(attributes).find((key) => bare(key) === name) ?? name
