import { appendFileSync } from 'node:fs'
import { type Kept, keep, kept } from './results.ts'
import type { Row, Scale } from './row.ts'
import { ROWS } from './rows.ts'
import { runRow } from './run-row.ts'

/**
 * `npm run faults [-- --short | --long] [F1 F2 …]`: runs the fault rows of docs/faults.md against running services,
 * prints the results and stores them in bench/results/faults.json (except in the short form). Exits with 1 when a row
 * failed.
 */
const words = process.argv.slice(2)
const scale: Scale = words.includes('--long') ? 'long' : words.includes('--short') ? 'short' : 'ordinary'
const names = words.filter((word) => !['--long', '--short'].includes(word)).map((word) => word.toUpperCase())
const unknown = names.find((name) => !ROWS.some(({ id }) => id === name))
if (unknown) {
  console.error(`There is no row "${unknown}": ${[...new Set(ROWS.map(({ id }) => id))].join(', ')}`)
  process.exit(2)
}
const chosen = ROWS.filter(({ id, isLong }) => (names.length > 0 ? names.includes(id) : !(isLong && scale === 'short')))

const results: Kept[] = []
async function carryOut(row: Row): Promise<void> {
  console.log(`\n${row.id} ${row.title}`)
  const start = performance.now()
  const result = await runRow(row, scale)
  const seconds = (performance.now() - start) / 1000
  results.push(kept(row, scale, seconds, result))
  const { what, count, criterion, seen, passed } = result
  console.log(`  ${row.id} ${passed ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s: ${what}; ${count}`)
  console.log(`    wanted: ${criterion}\n    seen:   ${seen}`)
  // Stored after each row, so that an interrupted run keeps its results.
  if (scale !== 'short') keep(results)
}

// The short form mostly waits and does not judge latencies, so two rows run at a time.
const waiting = [...chosen]
const runInSequence = async () => {
  for (let row = waiting.shift(); row; row = waiting.shift()) await carryOut(row)
}
await Promise.all(scale === 'short' ? [runInSequence(), runInSequence()] : [runInSequence()])

const failed = results.filter(({ passed }) => !passed)
console.log(`\n${results.length - failed.length} of ${results.length} rows passed`)
const summary = failed
  .map(({ row, title, criterion, seen }) => `  ${row} ${title}: ${seen}\n    wanted: ${criterion}\n`)
  .join('')
process.stdout.write(summary)
// A command that runs more tests lists all failures at its end.
if (summary && process.env.CAIRN_TEST_FAILURES)
  appendFileSync(process.env.CAIRN_TEST_FAILURES, `FAILED faults\n${summary}`)
// A row may have left a handle open that would keep the process alive.
process.exit(failed.length > 0 ? 1 : 0)
