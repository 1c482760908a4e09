import { SaxesParser } from 'saxes'
import { SurveyFileError } from '../../errors.ts'
import { xmlText } from '../text/xml-text.ts'
import type { Entry } from '../zip/archive.ts'

type Visitor = {
  open: (name: string, attributes: Record<string, string>) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

const bare = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Visits the elements of a part of a workbook by their names without prefixes, a piece of 64 KiB at each step. A part
 * that is absent has none.
 * @throws SurveyFileError UNREADABLE_FILE if it is not well-formed
 */
export function* walkPart(part: Entry | undefined, { open, text, close }: Visitor): Generator<undefined, void> {
  if (!part) return
  const parser = new SaxesParser()
  parser.on('error', () => {
    throw unreadable(part.name)
  })
  parser.on('opentag', ({ name, attributes }) => open(bare(name), attributes))
  if (text) parser.on('text', text)
  if (close) parser.on('closetag', ({ name }) => close(bare(name)))
  for (const piece of xmlText(part.unpack())) {
    parser.write(piece)
    yield
  }
}

/** The part of a workbook with a sheet, by its relation in `workbook.xml`. @throws SurveyFileError UNREADABLE_FILE */
export function sheetPart(entries: readonly Entry[], sheet: string): Entry {
  const partAt = (path: RegExp) => entries.find(({ name }) => path.test(name))
  const targets = new Map<string, string>()
  let id = ''
  for (const _ of walkPart(partAt(/^xl\/_rels\/workbook\.xml\.rels$/i), {
    open: (_, { Id = '', Target = '' }) => targets.set(Id, Target),
  }));
  for (const _ of walkPart(partAt(/^xl\/workbook\.xml$/i), {
    open(name, attributes) {
      if (name === 'sheet' && attributes.name === sheet)
        id ||= Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1] ?? ''
    },
  }));
  const target = targets
    .get(id)
    ?.replace(/^\/?(?:xl\/)?/, '')
    .toLowerCase()
  const part = entries.find(({ name }) => name.toLowerCase() === `xl/${target}`)
  if (!part) throw unreadable(`the part of the sheet "${sheet.slice(0, 60)}"`)
  return part
}

/** The refusal of a workbook whose times could be read as days. */
export const unreadable = (what: string) =>
  new SurveyFileError(
    'UNREADABLE_FILE',
    `${what.slice(0, 100)} in the workbook cannot be read, and with it the formats of the cells: save the workbook again in a spreadsheet program, or as CSV`,
  )
