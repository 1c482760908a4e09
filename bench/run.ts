import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { withTemporaryPostgres } from './databases/temporary-postgres.ts'
import { benchGrowth, type Growth, isTooMuch } from './growth/growth.ts'
import { replaceResults } from './growth/replace-results.ts'
import { growthTable } from './growth/table.ts'
import { benchInstall } from './install/install.ts'
import { benchMixed } from './mixed/mixed.ts'
import { benchMixedGrowth } from './mixed/mixed-growth.ts'
import { mixedComparisons, mixedReport } from './mixed/report.ts'
import type { Comparison } from './record/comparison.ts'
import { appendToHistory, commitNow, machine } from './record/history.ts'
import { writeScaling } from './record/scaling.ts'
import { writeTable } from './record/table.ts'
import { benchBeside } from './suites/beside.ts'
import { benchChecks } from './suites/checks.ts'
import { benchConsole } from './suites/console.ts'
import { benchConvert } from './suites/convert.ts'
import { benchImports } from './suites/imports.ts'
import { benchPeers } from './suites/peers/peers.ts'
import { benchFences } from './suites/places/fences.ts'
import { benchPins } from './suites/places/pins.ts'
import { benchTiles } from './suites/places/tiles.ts'
import { benchPoses } from './suites/poses.ts'
import { benchRankRequests, benchRequests } from './suites/requests.ts'
import { benchScans } from './suites/scans.ts'
import { benchBoardMemory } from './suites/scoring/board-memory.ts'
import { benchRank } from './suites/scoring/rank.ts'
import { benchRanksRedis } from './suites/scoring/ranks-redis.ts'
import { benchRecordedScoreRequests } from './suites/scoring/recorded-score-requests.ts'
import { benchRecordedScores } from './suites/scoring/recorded-scores.ts'
import { benchRollover } from './suites/scoring/rollover.ts'
import { benchScores } from './suites/scoring/scores.ts'
import { benchSegments } from './suites/scoring/segments.ts'
import { benchStart } from './suites/start.ts'
import { benchSurveys } from './suites/surveys.ts'
import { benchTags } from './suites/tags.ts'
import { benchUploads } from './suites/uploads.ts'
import { benchWebhooks } from './suites/webhooks.ts'
import { worstTable } from './worst/table.ts'
import { benchWorst } from './worst/worst.ts'

const benches: Record<string, (databaseUrl: string) => Promise<Comparison[]>> = {
  scores: benchScores,
  'recorded-scores': async (databaseUrl) => [
    ...(await benchRecordedScoreRequests(databaseUrl, scaled(20_000))),
    ...(await benchRecordedScores(databaseUrl, scaled(20_000))),
  ],
  rank: (databaseUrl) => benchRank(databaseUrl),
  'rank-10m': async (databaseUrl) => [
    ...(await benchRank(databaseUrl, 10_000_000)),
    ...(await benchRankRequests(databaseUrl, 10_000_000)),
  ],
  'ranks-redis': (databaseUrl) => benchRanksRedis(databaseUrl),
  segments: (databaseUrl) => benchSegments(databaseUrl, scaled(1_000_000)),
  rollover: (databaseUrl) => benchRollover(databaseUrl, scaled(10_000)),
  'board-memory': (databaseUrl) => benchBoardMemory(databaseUrl, scaled(100_000)),
  requests: (databaseUrl) => benchRequests(databaseUrl),
  checks: benchChecks,
  peers: (databaseUrl) => benchPeers(databaseUrl, Number(values.scale)),
  pins: (databaseUrl) => benchPins(databaseUrl, 3000, scaled(1_000_000)),
  fences: (databaseUrl) => benchFences(databaseUrl, scaled(10_000), scaled(100_000)),
  tiles: benchTiles,
  convert: () => benchConvert(),
  console: benchConsole,
  uploads: benchUploads,
  scans: () => benchScans(),
  tags: () => benchTags(),
  poses: (databaseUrl) => benchPoses(databaseUrl, scaled(1000)),
  imports: (databaseUrl) => benchImports(databaseUrl),
  surveys: () => benchSurveys(),
  webhooks: benchWebhooks,
  start: () => benchStart(),
  install: () => benchInstall(),
  'mixed-growth': () => benchMixedGrowth(),
  beside: (databaseUrl) => benchBeside(databaseUrl, values.checkout, { only: values.only }),
}

/** Only run when named: the first takes ten minutes and ten gigabytes, the second ten minutes, the third needs a browser, the fourth the registry, the fifth ten minutes, the last another checkout. */
const LONG = ['rank-10m', 'poses', 'console', 'install', 'mixed-growth', 'beside']

const RESULTS = fileURLToPath(new URL('./results', import.meta.url))
const SETTINGS = { shared_buffers: '512MB', max_connections: '200' }

const options = {
  table: { type: 'boolean' },
  minutes: { type: 'string', default: '10' },
  'cpu-prof': { type: 'string', default: '' },
  long: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  rows: { type: 'string', default: '' },
  tables: { type: 'string', default: '' },
  again: { type: 'boolean', default: false },
  checkout: { type: 'string', default: '' },
  scale: { type: 'string', default: '1' },
} as const

/**
 * `npm run bench [-- name …]`: runs the benchmarks on a separate PostgreSQL, and writes results/<name>.json, a line a comparison
 * into results/history.jsonl and the table of budgets. `--table`: only the tables. `--scale 0.01`:
 * with that share of the players, boards, fences or scenes, storing nothing; for benchmarks that take their sizes from scaled().
 * `beside --checkout folder [--only text]`, `mixed [--minutes 10] [--cpu-prof file]` and `growth [--long] [--only text] [--rows n,n] [--tables a,b]`, `growth --again [--only text] [--tables a,b]`, `worst [--only text]`: see docs/benchmarks.md.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options })
mkdirSync(RESULTS, { recursive: true })
if (values.table) writeTables()
else if (positionals[0] === 'mixed') await mixed(Number(values.minutes))
else if (positionals[0] === 'growth') await growth()
else if (positionals[0] === 'worst') await worst()
else await compare(positionals.length > 0 ? positionals : Object.keys(benches).filter((name) => !LONG.includes(name)))

async function compare(names: string[]) {
  const unknown = names.find((name) => !benches[name])
  if (unknown) {
    console.error(
      `Unknown benchmark "${unknown}". Available: ${[...Object.keys(benches), 'mixed', 'growth', 'worst'].join(', ')}`,
    )
    process.exit(2)
  }
  await withTemporaryPostgres(SETTINGS, async (url) => {
    for (const name of names) {
      console.log(`\n${name}`)
      const comparisons = await benches[name]!(url)
      for (const comparison of comparisons) show(comparison)
      if (values.scale !== '1') continue
      keep(name, { comparisons })
      appendToHistory(RESULTS, name, comparisons)
      writeTables()
    }
  })
}

async function mixed(minutes: number) {
  const found = await benchMixed({ minutes, profileFile: values['cpu-prof'] })
  keep('mixed', found)
  appendToHistory(RESULTS, 'mixed', mixedComparisons(found))
  writeTables()
  console.log(mixedReport(found))
  if (found.closed.errors + found.open.errors > 0) process.exitCode = 1
}

async function growth() {
  const { long, only, tables, again } = values
  if (again) return growthAgain()
  const sizes = values.rows === '' ? {} : { sizes: values.rows.split(',').map(Number) }
  const found = await benchGrowth({ long, only, tables, ...sizes })
  if (only === '' && tables === '' && values.rows === '') {
    keep('growth', found)
    writeFileSync(join(RESULTS, 'growth.md'), growthTable({ ...found, load: load() }))
    writeTables()
  }
  judge(found)
}

/** Measures some operations again at the sizes of the stored run and replaces their results. */
async function growthAgain() {
  const { only, tables } = values
  const file = join(RESULTS, 'growth.json')
  const before = JSON.parse(readFileSync(file, 'utf8'))
  const found = await benchGrowth({ only, tables, sizes: before.rows })
  const kept = replaceResults(before, found, { at: new Date().toISOString(), commit: commitNow(), tables })
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
  writeFileSync(join(RESULTS, 'growth.md'), growthTable(kept))
  writeTables()
  judge(found)
}

async function worst() {
  const found = await benchWorst({ only: values.only })
  const table = worstTable(found, load())
  if (values.only === '') {
    keep('worst', { operations: found })
    writeFileSync(join(RESULTS, 'worst.md'), table)
  }
  console.log(table)
}

function judge(found: Growth) {
  console.log(growthTable({ ...found, load: load() }))
  const bad = found.operations.filter(({ growth, byContract }) => isTooMuch(growth) && !byContract)
  for (const { name, growth } of bad) console.error(`${name}: ${growth}`)
  if (bad.length > 0) process.exitCode = 1
}

/** A size of a benchmark: what --scale leaves of it. */
function scaled(size: number): number {
  return Math.ceil(size * Number(values.scale))
}

function writeTables() {
  writeTable(RESULTS)
  writeScaling(RESULTS)
}

/** The load average: on a busy machine times are too long. */
function load(): number {
  return Number(loadavg()[1]!.toFixed(1))
}

function keep(name: string, found: object) {
  const whole = { at: new Date().toISOString(), commit: commitNow(), machine: machine(), load: load(), ...found }
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(whole, null, 2)}\n`)
}

function show({ name, ours, peer, ratio, target }: Comparison) {
  console.log(`  ${name}: ratio ${ratio.toPrecision(3)} (target ${target})`)
  console.log(`      ours ${JSON.stringify(ours)}\n      peer ${JSON.stringify(peer)}`)
}
