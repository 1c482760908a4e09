import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { budgetsOf, figureOf, isMet } from './budgets.ts'
import type { Comparison } from './comparison.ts'

/** One comparison of one run. `met`: all its budgets; null without one. `figures`: those with a budget; otherwise ours. */
export type Line = {
  date: string
  commit: string
  machine: string
  bench: string
  name: string
  ratio: number
  target: string
  met: boolean | null
  figures: Record<string, number>
}

export const machine = () => `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`

const fileIn = (results: string) => join(results, 'history.jsonl')

/** Appends one line a comparison. @param results the folder */
export function appendToHistory(results: string, bench: string, comparisons: Comparison[]): void {
  const run = { date: new Date().toISOString(), commit: commitNow(), machine: machine() }
  const lines = comparisons.map((comparison): Line => {
    const figures: Record<string, number> = {}
    const met = budgetsOf(bench, comparison.name).map((budget) => {
      const value = figureOf(comparison, budget.figure)
      if (value !== undefined) figures[budget.figure] = value
      return value !== undefined && isMet(budget, value)
    })
    const { name, ratio, target } = comparison
    if (met.length === 0) return { ...run, bench, name, ratio, target, met: null, figures: numbersIn(comparison.ours) }
    return { ...run, bench, name, ratio, target, met: met.every(Boolean), figures }
  })
  appendFileSync(fileIn(results), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

const numbersIn = (figures: object): Record<string, number> =>
  Object.fromEntries(Object.entries(figures).filter(([, value]) => typeof value === 'number'))

/** All lines, oldest first. */
export function readHistory(results: string): Line[] {
  if (!existsSync(fileIn(results))) return []
  const text = readFileSync(fileIn(results), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}

/** The current commit; with a `+` if files differ from it. */
export function commitNow(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', ':!bench/results').trim()
    return git('rev-parse', '--short', 'HEAD').trim() + (changed ? '+' : '')
  } catch {
    return 'unknown'
  }
}
