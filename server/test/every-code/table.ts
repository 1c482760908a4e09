import type { Judged, Outcome } from './judge.ts'
import { type Known, knownDifferences, knownRefusals } from './known.ts'
import type { Judgement } from './run.ts'

const [FROM, TO] = ['<!-- written by server/test/every-code/write-docs.ts -->', '<!-- end of what is written -->']
const REFUSED = '| refused because | codes | |'

/** @returns a page with the tables between its two marks @throws Error if a mark is missing */
export function withTables(page: string, judgement: Judgement): string {
  const [start, end] = [page.indexOf(FROM), page.indexOf(TO)]
  if (start < 0 || end < start) throw new Error(`docs/reference-systems.md lacks the lines "${FROM}" and "${TO}"`)
  return `${page.slice(0, start)}${FROM}\n\n${tables(judgement)}\n\n${page.slice(end)}`
}

/** @returns the reason of each code that a page with the tables lists as refused, without those of known.ts */
export function refusedOn(page: string): Map<number, string> {
  const table = page.slice(page.indexOf(REFUSED)).split('\n\n')[0]!.split('\n').slice(2)
  return new Map(
    table.flatMap((row) => {
      const [, why, , ranges] = /^\| (.*) \| (\d+) \| (.*) \|$/.exec(row)!
      return ranges!.split(', ').flatMap((range) => {
        const [first, last = first] = range.split('–').map(Number)
        return Array.from({ length: last! - first! + 1 }, (_, i): [number, string] => [first! + i, why!])
      })
    }),
  )
}

/** How codes compare with `cs2cs`, and which are refused. */
function tables({ without, gridded }: Judgement): string {
  const rows: [what: string, outcome: Outcome][] = [
    ['the same position to 1 mm', 'same'],
    ['by another operation, within the sum of both stated accuracies', 'within'],
    ['further apart, for a reason below', 'known'],
    ['further apart', 'off'],
    ['refused', 'refused'],
    ['not compared: this version of `cs2cs` does not have them', 'alone'],
  ]
  const count = (all: Judged[], outcome: Outcome) => all.filter((one) => one.outcome === outcome).length
  return [
    '| codes | without grids | with grids, of those that use one of them |',
    '|---|---|---|',
    ...rows.map(([what, outcome]) => `| ${what} | ${count(without, outcome)} | ${count(gridded, outcome)} |`),
    `| all | ${without.length} | ${gridded.length} |`,
    '',
    ...knowns('further apart because', knownDifferences),
    '',
    ...refusals(without),
    '',
    ...knowns('refused, though `cs2cs` gives a position, because', knownRefusals),
  ].join('\n')
}

/** @returns the reason of each code that is refused, without those of known.ts */
export const refusedIn = (verdicts: Judged[]): Map<number, string> =>
  new Map(
    verdicts
      .filter(({ outcome, isKnown }) => outcome === 'refused' && !isKnown)
      .map(({ code, why }) => [code, reason(why!)]),
  )

/** The refused codes of each reason, consecutive ones as ranges. */
function refusals(verdicts: Judged[]): string[] {
  const groups = Map.groupBy(refusedIn(verdicts), ([, why]) => why)
  const ordered = [...groups].sort(([, a], [, b]) => b.length - a.length)
  return [
    REFUSED,
    '|---|---|---|',
    ...ordered.map(([why, all]) => `| ${why} | ${all.length} | ${ranges(all.map(([code]) => code))} |`),
  ]
}

/** The reason of an error, without code-specific details. */
function reason(sentence: string): string {
  if (/; it needs \S+/.test(sentence))
    return 'Its transformation to WGS 84 needs a grid. The refusal names the file; with it in the folder of grids the code is taken.'
  if (/no transformation to WGS84 is known/.test(sentence)) return 'The register has no transformation to WGS 84.'
  if (/cannot be transformed to WGS84/.test(sentence)) return 'PROJ has no formula for its projection.'
  return `${sentence.replace(/^.*cannot be used: /, '').replaceAll('|', '\\|')}.`
}

const knowns = (heading: string, list: Known[]): string[] => [
  `| ${heading} | codes |`,
  '|---|---|',
  ...list.map(({ why, codes }) => `| ${why} | ${ranges(codes)} |`),
]

function ranges(codes: number[]): string {
  const found: [first: number, last: number][] = []
  for (const code of codes) {
    const range = found.at(-1)
    if (range && code === range[1] + 1) range[1] = code
    else found.push([code, code])
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ')
}
