import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Result, Row, Scale } from './row.ts'
import { ROWS } from './rows.ts'

/** A result as it is kept: with where and how it came about. */
export type Kept = Result & {
  row: string
  title: string
  scale: Scale
  seconds: number
  /** The machine's, over the minute before the end, the row's own part included; of older results it is not known. */
  load?: number
  machine: string
  command: string
  date: string
}

const FILE = fileURLToPath(new URL('../bench/results/faults.json', import.meta.url))
const PAGE = fileURLToPath(new URL('../docs/faults.md', import.meta.url))
const [BEGIN, END] = ['<!-- results, written by npm run faults -->', '<!-- end of results -->']

export const kept = (row: Row, scale: Scale, seconds: number, result: Result): Kept => ({
  row: row.id,
  title: row.title,
  scale,
  ...result,
  seconds: Math.round(seconds),
  load: Number(loadavg()[0]!.toFixed(1)),
  machine: `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`,
  command: `npm run faults --${scale === 'ordinary' ? '' : ` --${scale}`} ${row.id}`,
  date: new Date().toISOString(),
})

/** Puts results in place of earlier ones of the same row and scale, in the file and on the page. */
export function keep(results: Kept[]): void {
  const before: Kept[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : []
  const isSame = (one: Kept) => (other: Kept) =>
    one.row === other.row && one.title === other.title && one.scale === other.scale
  const place = (one: Kept) => ROWS.findIndex(({ id, title }) => id === one.row && title === one.title)
  const all = [...before.filter((one) => !results.some(isSame(one))), ...results]
    // What is no row any more has no result either.
    .filter((one) => place(one) >= 0)
    .sort((a, b) => place(a) - place(b) || a.scale.localeCompare(b.scale))
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`)
  writePage(all)
}

function writePage(all: Kept[]) {
  const text = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
  const [head, rest] = text.split(BEGIN)
  const [, tail] = rest?.split(END) ?? []
  if (head === undefined || tail === undefined) return
  const cell = (words: string) => words.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const lines = all.map(({ row, title, scale, count, seen, passed, seconds, load, machine, command, date }) =>
    [
      `${row} ${title}`,
      scale,
      count,
      `${passed ? 'passed' : '**failed**'}: ${seen}`,
      `${seconds} s, ${date.slice(0, 10)}`,
      `\`${command}\`, ${machine}${load === undefined ? '' : `, load ${load}`}`,
    ]
      .map(cell)
      .join(' | '),
  )
  const table = ['| row | form | how much | seen | took, when | command, machine |', '|---|---|---|---|---|---|']
  writeFileSync(
    PAGE,
    [head, BEGIN, '\n', [...table, ...lines.map((line) => `| ${line} |`)].join('\n'), '\n', END, tail].join(''),
  )
}
