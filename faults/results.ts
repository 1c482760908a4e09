import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Result, Row, Scale } from './row.ts'
import { ROWS } from './rows.ts'

/** A stored result, with the circumstances of its run. */
export type Kept = Result & {
  row: string
  title: string
  scale: Scale
  seconds: number
  /** Load average of the machine over the last minute of the row, including the row itself; unknown for older results. */
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

/** Replaces earlier results of the same row and scale, in the file and on the page. */
export function keep(results: Kept[]): void {
  const before: Kept[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : []
  const isSame = (one: Kept) => (other: Kept) =>
    one.row === other.row && one.title === other.title && one.scale === other.scale
  const place = (one: Kept) => ROWS.findIndex(({ id, title }) => id === one.row && title === one.title)
  const all = [...before.filter((one) => !results.some(isSame(one))), ...results]
    // Drops results of rows that no longer exist.
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
