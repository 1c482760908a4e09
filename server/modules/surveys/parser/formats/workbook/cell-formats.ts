import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { unitOf } from '../../rows/values/units.ts'
import { xmlText } from '../text/xml-text.ts'
import type { Entry } from '../zip/archive.ts'

/** Built-in formats of times (ECMA-376 part 1, 18.8.30). */
const TIMES = new Set([18, 19, 20, 21, 45, 46, 47])
const MICROSECONDS = 86_400e6

type Shown = (value: number, written: string) => string

/**
 * The texts of cells whose format says more than their number, by row and column from 0: times, which Excel makes of
 * `52:31:12` and stores in days, and numbers with a unit in the format, such as `0.00" ft"`.
 * @param sheet the name of the sheet in an XLSX workbook
 */
export function shownCells(entries: readonly Entry[], sheet: string): Map<number, Map<number, string>> {
  const cells = new Map<number, Map<number, string>>()
  const styles = stylesOf(entries)
  const part = styles.size > 0 ? partOf(entries, sheet) : undefined
  let [at, style, value] = ['', '', '']
  let isValue = false
  walk(part, {
    open({ name, attributes }) {
      if (name === 'c') [at, style, value] = [attributes.r ?? '', attributes.t === 's' ? '' : (attributes.s ?? ''), '']
      isValue = name === 'v'
    },
    text: (text) => {
      if (isValue) value += text
    },
    close({ name }) {
      isValue = false
      const [, letters, number] = /^([A-Z]{1,3})(\d{1,7})$/.exec(at) ?? []
      const shown = name === 'c' && letters ? styles.get(Number(style || -1)) : undefined
      if (!shown || value === '' || !Number.isFinite(Number(value))) return
      const row = Number(number) - 1
      const column = [...letters!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
      if (!cells.has(row)) cells.set(row, new Map())
      cells.get(row)!.set(column, shown(Number(value), value))
    },
  })
  return cells
}

/** What the styles of cells show, by their index; those of plain numbers are absent. */
function stylesOf(entries: readonly Entry[]): Map<number, Shown> {
  const formats = new Map<number, string>()
  const styles = new Map<number, Shown>()
  let [index, isCell] = [0, false]
  walk(
    entries.find(({ name }) => /^xl\/styles\.xml$/i.test(name)),
    {
      open({ name, attributes }) {
        if (name === 'numFmt') formats.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
        else if (name === 'cellXfs') isCell = true
        else if (name === 'xf' && isCell) {
          const format = Number(attributes.numFmtId)
          const shown = TIMES.has(format) ? asTime : shownBy(formats.get(format) ?? '')
          if (shown) styles.set(index, shown)
          index++
        }
      },
      close({ name }) {
        if (name === 'cellXfs') isCell = false
      },
    },
  )
  return styles
}

function shownBy(code: string): Shown | undefined {
  const [first = ''] = code.split(';')
  const plain = first.replace(/"[^"]*"|\\.|\[(?:\$|[a-z]{4,})[^\]]*\]/gi, '')
  if (/[hs]/i.test(plain) && !/[yd]|general/i.test(plain)) return asTime
  const unit = /(?:"([^"]{1,12})"|((?:\\.){1,6}))\s*$/.exec(first)
  const word = (unit?.[1] ?? unit?.[2]?.replaceAll('\\', '') ?? '').trim()
  return word !== '' && unitOf(word) !== undefined ? (_, written) => `${written} ${word}` : undefined
}

const asTime: Shown = (days) => {
  const total = Math.round(Math.abs(days) * MICROSECONDS)
  const [seconds, minutes] = [(total % 60e6) / 1e6, Math.floor(total / 60e6)]
  const two = (figure: number | string) => String(figure).padStart(2, '0')
  const parts = [two(Math.floor(minutes / 60)), two(minutes % 60), (seconds < 10 ? '0' : '') + String(seconds)]
  return (days < 0 ? '-' : '') + parts.join(':')
}

/** The part of a workbook with a sheet: by its relation in `workbook.xml`. */
function partOf(entries: readonly Entry[], sheet: string): Entry | undefined {
  const targets = new Map<string, string>()
  let id = ''
  walk(
    entries.find(({ name }) => /^xl\/_rels\/workbook\.xml\.rels$/i.test(name)),
    { open: ({ attributes }) => targets.set(attributes.Id ?? '', attributes.Target ?? '') },
  )
  walk(
    entries.find(({ name }) => /^xl\/workbook\.xml$/i.test(name)),
    {
      open({ name, attributes }) {
        if (name === 'sheet' && attributes.name === sheet)
          id = Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1] ?? ''
      },
    },
  )
  const target = targets.get(id)?.replace(/^\/?(?:xl\/)?/, '')
  return target === undefined ? undefined : entries.find(({ name }) => name === `xl/${target}`)
}

type Visitor = {
  open: (tag: SaxesTagPlain) => void
  text?: (text: string) => void
  close?: (tag: SaxesTagPlain) => void
}

/** Visits the elements of a part by their names without prefixes, up to the first error. */
function walk(part: Entry | undefined, { open, text, close }: Visitor): void {
  if (!part) return
  const parser = new SaxesParser()
  let isDamaged = false
  const bare = (tag: SaxesTagPlain) => ({ ...tag, name: tag.name.slice(tag.name.indexOf(':') + 1) })
  parser.on('error', () => {
    isDamaged = true
  })
  parser.on('opentag', (tag) => open(bare(tag)))
  if (text) parser.on('text', text)
  if (close) parser.on('closetag', (tag) => close(bare(tag)))
  for (const piece of xmlText(part.unpack())) {
    parser.write(piece)
    if (isDamaged) return
  }
}
