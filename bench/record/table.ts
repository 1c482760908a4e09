import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Budget, budgets, isMet } from './budgets.ts'
import { type Line, readHistory } from './history.ts'

/** Number of runs that show a trend. */
const RUNS = 5

/** Writes results/README.md: each budget with its target, current value, trend, and the reason if it is missed. */
export function writeTable(results: string): void {
  const history = readHistory(results)
  const file = join(results, 'reasons.json')
  const reasons: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const rows = budgets.map((budget) => rowOf(budget, history, reasons[budget.what]))
  const met = rows.filter(({ isMet }) => isMet).length
  writeFileSync(
    join(results, 'README.md'),
    `# Budgets

Each figure is from the last run of its benchmark, which measures its peer or limit in the same run. ${met} of ${rows.length}
budgets are met. If a benchmark measures several cases (top, middle, bottom; several files), the worst counts. Written by
\`npm run bench -- --table\` from [history.jsonl](history.jsonl), which has every run; the reasons for missed budgets are in
[reasons.json](reasons.json). What each benchmark does: [docs/benchmarks.md](../../docs/benchmarks.md).

| budget | target | now | last runs | |
|---|---|---|---|---|
${rows.map(({ cells }) => `| ${cells.join(' | ')} |`).join('\n')}

${lastRuns(history)}
`,
  )
}

function rowOf(budget: Budget, history: Line[], reason: string | undefined) {
  const target = budget.atLeast === undefined ? `≤ ${shown(budget.atMost!)}` : `≥ ${shown(budget.atLeast)}`
  const runs = worstOfRuns(budget, history)
  const now = runs.at(-1)
  const fulfilled = now !== undefined && isMet(budget, now)
  const verdict = now === undefined ? 'not measured yet' : fulfilled ? 'met' : (reason ?? '**not met**')
  const trend = runs.slice(-RUNS).map(shown).join(' → ')
  return { isMet: fulfilled, cells: [budget.what, target, now === undefined ? '–' : shown(now), trend, verdict] }
}

/** For each run the worst of the comparisons of the budget, oldest first. */
function worstOfRuns({ bench, name, figure, atLeast }: Budget, history: Line[]): number[] {
  const of = history.filter((line) => line.bench === bench && name.test(line.name) && figure in line.figures)
  const worst = atLeast === undefined ? Math.max : Math.min
  return [...Map.groupBy(of, ({ date }) => date).values()].map((lines) =>
    worst(...lines.map(({ figures }) => figures[figure]!)),
  )
}

const shown = (value: number) =>
  value === 0 || Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))

function lastRuns(history: Line[]): string {
  const last = new Map(history.map((line) => [line.bench, line]))
  const rows = [...last.values()].map(
    ({ bench, date, commit, machine }) => `| ${bench} | ${date} | ${commit} | ${machine} |`,
  )
  return `| benchmark | last run | commit | machine |\n|---|---|---|---|\n${rows.join('\n')}`
}
