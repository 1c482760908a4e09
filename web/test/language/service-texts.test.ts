import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { limitsOf } from '../../../server/modules/admin/limits.ts'
import { NOTE_CODES } from '../../../usdz/note-codes.ts'
import { findingTexts as germanFindings, columnWords as germanWords } from '../../src/messages/de/service/findings.ts'
import { limits as germanLimits, units as germanUnits } from '../../src/messages/de/service/limits.ts'
import { losses as germanLosses } from '../../src/messages/de/service/losses.ts'
import { findingTexts as spanishFindings, columnWords as spanishWords } from '../../src/messages/es/service/findings.ts'
import { limits as spanishLimits, units as spanishUnits } from '../../src/messages/es/service/limits.ts'
import { losses as spanishLosses } from '../../src/messages/es/service/losses.ts'
import { byPattern } from '../../src/messages/service/by-pattern.ts'

const limits = limitsOf(new Proxy({}, { get: () => 1 }) as Parameters<typeof limitsOf>[0])
const sorted = (names: Iterable<string>) => [...new Set(names)].sort()

describe.each([
  ['German', germanLosses, germanLimits, germanUnits],
  ['Spanish', spanishLosses, spanishLimits, spanishUnits],
])('%s', (_, losses, limitTexts, units) => {
  test('has a name and a text for each loss of a conversion', () => {
    expect(sorted(Object.keys(losses))).toEqual(sorted(Object.keys(NOTE_CODES)))
  })

  test('has a name and a text for each limit, and its unit', () => {
    expect(sorted(Object.keys(limitTexts))).toEqual(sorted(limits.map(({ setting }) => setting)))
    expect(sorted(Object.keys(units))).toEqual(sorted(limits.map(({ unit }) => unit)))
  })
})

test('each sentence about a row that has a translation is one that the service still says, and has it in both languages', () => {
  const folder = new URL('../../../server/modules/surveys/', import.meta.url)
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n')
  // Sentences are composed: one of the two longest parts stands in the source as it is.
  const longestParts = (pattern: string) =>
    pattern
      .split(/[*:,;]/)
      .map((part) => part.trim())
      .sort((a, b) => b.length - a.length)
      .slice(0, 2)
  const isSaid = (pattern: string) => longestParts(pattern).some((part) => sources.includes(part))
  expect(Object.keys(germanFindings).filter((pattern) => !isSaid(pattern))).toEqual([])
  expect(Object.keys(spanishFindings)).toEqual(Object.keys(germanFindings))
})

const inGerman = byPattern(germanFindings, germanWords)
const inSpanish = byPattern(spanishFindings, spanishWords)

test('the values of a sentence about a row are kept in its translation', () => {
  expect(inGerman('title "A * (1)" is already used in row 7')).toBe('Den Titel "A * (1)" hat schon Zeile 7')
  expect(inSpanish('latitude 91 is outside -90..90')).toBe('La latitud 91 no está entre −90 y 90')
  expect(inGerman('something else')).toBe('something else')
  const swapped =
    'the coordinates are swapped: with 10 as latitude and 54 as longitude the point is at latitude 54, longitude 10, inside the area of EPSG:25832; exchange the two columns'
  expect(inGerman(swapped)).toContain('Mit 10 als Breite und 54 als Länge')
  expect(inGerman(swapped)).toContain('EPSG:25832')
  expect(inSpanish(swapped)).toContain('EPSG:25832')
})

test('a sentence inside another one is translated, too', () => {
  const refused = 'Nothing was imported: 1 of 3 rows failed; first: row 2 (line 3): latitude is empty'
  expect(inGerman(refused)).toBe(
    'Nichts wurde importiert: 1 von 3 Zeilen sind fehlgeschlagen, zuerst Zeile 2 (Dateizeile 3): Breite ist leer',
  )
  expect(inSpanish(refused)).toBe(
    'No se importó nada: fallaron 1 de 3 filas; la primera, la fila 2 (línea 3): latitud está vacío',
  )
  expect(inGerman('in sheet 2: latitude is empty')).toBe('in sheet 2: latitude is empty')
  expect(inGerman('latitude "5: north" is not a number: write figures only, such as 5')).toBe(
    'Breite "5: north" ist keine Zahl: Schreiben Sie nur Ziffern, etwa 5',
  )
})

test('the advice for a latitude of thousands of degrees is complete in each language', () => {
  const advice =
    'latitude 5234.5 is outside -90..90: if these are metres of a grid, name the columns easting and northing and the system in a line such as EPSG:25833; if they are packed degrees and minutes, import with angles=dms-packed'
  for (const translated of [inGerman, inSpanish]) {
    expect(translated(advice)).toContain('EPSG:25833')
    expect(translated(advice)).toMatch(/angles=dms-packed$/)
  }
})

test('a sentence of more than a thousand characters stays as it is', () => {
  const finding = (latitude: string) =>
    `latitude ${latitude} is outside -90..90: if these are metres of a grid, name the columns easting and northing and the system in a line such as EPSG:25833; if they are packed degrees and minutes, import with angles=dms-packed`
  expect(inGerman(finding('9'.repeat(100)))).not.toBe(finding('9'.repeat(100)))
  expect(inGerman(finding('9'.repeat(1000)))).toBe(finding('9'.repeat(1000)))
})
