import { appendFileSync } from 'node:fs'
import { type Kept, keep, kept } from './results.ts'
import type { Row, Scale } from './row.ts'
import { ROWS } from './rows.ts'
import { runRow } from './run-row.ts'

/** `npm run faults [-- --short | --long] [F1 F2 …]`: does to running services what docs/faults.md says, prints what was seen, and keeps it in bench/results/faults.json (the short form does not). Ends with 1 when a row failed. */
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
  // After each row: a run that is broken off keeps what it has.
  if (scale !== 'short') keep(results)
}

// Starting and waiting is most of the short form, and its waits are not judged: two rows go on at a time.
const waiting = [...chosen]
const inTurn = async () => {
  for (let row = waiting.shift(); row; row = waiting.shift()) await carryOut(row)
}
await Promise.all(scale === 'short' ? [inTurn(), inTurn()] : [inTurn()])

const failed = results.filter(({ passed }) => !passed)
console.log(`\n${results.length - failed.length} of ${results.length} rows passed`)
const told = failed
  .map(({ row, title, criterion, seen }) => `  ${row} ${title}: ${seen}\n    wanted: ${criterion}\n`)
  .join('')
process.stdout.write(told)
// A command that runs more than this says all that failed once more at its end.
if (told && process.env.CAIRN_TEST_FAILURES) appendFileSync(process.env.CAIRN_TEST_FAILURES, `FAILED faults\n${told}`)
// A row may have left a handle open that only its process's end closes.
process.exit(failed.length > 0 ? 1 : 0)
