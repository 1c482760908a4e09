import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../service.ts'

type Text = { at: string; text: string }
type Operation = { name: string; summary: string; description?: string }

/** First words of summaries. */
const VERBS =
  `Accept Add Append Cancel Change Check Convert Copy Correct Count Create Delete Disable Exchange Export Get Hide Import List Locate Recount Register Remove Replace
    Report Resend
  Restore Retry Revoke Rotate Send Set Sign Stream Update Upload`.split(/\s+/)
/** Words that confuse readers of a reference, and their replacement. */
const AVOIDED: [word: RegExp, instead: string][] = [
  [/\btold\b/i, 'listed, stated, by default'],
  [/\banswer(s|ed|ing)?\b/i, 'response, returns'],
  [/(?<!response )\b(is|are) [2345]\d\d\b/, 'returns 404'],
  [/\bso many\b/i, 'a number, or "at most"'],
  [/\bwhoever\b|^who\b|[,;.:] who (asks|sends|made|knows)\b/i, 'the caller, anyone who'],
  [/\bthose of which\b|\bof which one\b/i, 'a sentence of its own'],
  [/\blook(s|ed|ing)? (for|through|into|at)\b/i, 'searched, matched, read'],
  [/\banew\b/i, 'again'],
  [/\b(go|goes|gone|takes?|taken|sent) along\b/i, 'is deleted too, is sent with'],
  [/\bits own end\b/i, 'ends at'],
  [/\bdead\b/i, 'stops working'],
  [/\bfor good\b/i, 'permanently'],
  [/\bbefalls?\b|\bfares?\b|\bbecame of\b|\bcame of\b/i, 'state, outcome'],
  [/\bwhatever (its|the) case\b|\bin whatever\b/i, 'case-insensitive, ignoring case'],
  [/\b\d[\d,]{4,} bytes\b/, 'KiB, MiB or GiB'],
  [/\bgives? up\b(?! on)|\bgive .* another\b/i, 'cancel, rotate'],
]
const LONGEST_SUMMARY = 60

let service: Service
let operations: Operation[]
let texts: Text[]

beforeAll(async () => {
  service = await startService()
  const documents = [await service.anonymous.get('/openapi.json'), await service.anonymous.get('/ogc/api')]
  texts = documents.flatMap(({ body }) => textsIn(body, ''))
  operations = documents.flatMap(({ body }) =>
    Object.entries(body.paths as Record<string, Record<string, Omit<Operation, 'name'>>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
    ),
  )
})
afterAll(() => service.stop())

/** Every description and summary below a part of a document, with its location. */
function textsIn(part: unknown, at: string): Text[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]) =>
    (name === 'description' || name === 'summary') && typeof value === 'string'
      ? [{ at, text: value }]
      : textsIn(value, `${at}/${name}`),
  )
}

describe('the summary of every operation', () => {
  test('starts with a verb in the imperative', () => {
    expect(operations.filter(({ summary }) => !VERBS.includes(summary.split(' ')[0]!))).toEqual([])
  })

  test(`has at most ${LONGEST_SUMMARY} characters and no final stop`, () => {
    expect(operations.filter(({ summary }) => summary.length > LONGEST_SUMMARY || summary.endsWith('.'))).toEqual([])
  })
})

describe('the description of every operation', () => {
  test('is made of whole sentences: a capital or a name first, a stop last', () => {
    const described = operations.filter(({ description }) => description !== undefined)
    expect(described.length).toBeGreaterThan(100)
    expect(described.filter(({ description }) => !/^[A-Z0-9`].*\.$/s.test(description!))).toEqual([])
  })
})

describe('every text', () => {
  test.each(AVOIDED)('avoids %s: %s', (word) => {
    expect(texts.filter(({ text }) => word.test(text))).toEqual([])
  })
})

test('every path parameter, and every parameter of /openapi.json but the properties of features, is described', async () => {
  const { body } = await service.anonymous.get('/openapi.json')
  type Parameter = { name: string; in: string; description?: string; schema: { description?: string } }
  const all = Object.entries(body.paths as Record<string, Record<string, { parameters?: Parameter[] }>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
        parameters.map((parameter) => ({ ...parameter, operation: `${method} ${path}`, path })),
      ),
  )
  expect(all.length).toBeGreaterThan(100)
  const bare = all.filter(({ description, schema }) => !description && !schema.description)
  expect(bare.filter(({ path, in: place }) => place === 'path' || !path.startsWith('/ogc/'))).toEqual([])
})
