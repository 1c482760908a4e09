import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { limitsOf } from '../../../server/modules/admin/limits.ts'
import { NOTE_CODES } from '../../../usdz/note-codes.ts'
import { findingTexts as germanFindings } from '../../src/messages/de/service/findings.ts'
import { limits as germanLimits, units as germanUnits } from '../../src/messages/de/service/limits.ts'
import { losses as germanLosses } from '../../src/messages/de/service/losses.ts'
import { findingTexts as spanishFindings } from '../../src/messages/es/service/findings.ts'
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

test('the values of a sentence about a row are kept in its translation', () => {
  expect(byPattern(germanFindings, 'title "A * (1)" is already used in row 7')).toBe(
    'Den Titel "A * (1)" hat schon Zeile 7',
  )
  expect(byPattern(spanishFindings, 'latitude 91 is outside -90..90')).toBe('La latitud 91 no está entre −90 y 90')
  expect(byPattern(germanFindings, 'something else')).toBe('something else')
})
