import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Growth } from '../growth/growth.ts'
import type { Mixed } from '../mixed/mixed.ts'

const RATES = [1e3, 1e4, 1e5, 1e6]
/** Share of a core in use, so that the load of a failed process can be taken over. */
const BUSY = 0.6
/** Frequency of each write in the mix, by the growth bench's names; as in mixed/operations.ts. */
const WRITES: Record<string, number> = {
  'score: write': 0.28,
  'score: 100 of a session': 0.02 / 5,
  'player: make': 0.015,
  'player: rename': 0.01,
  'session: make': 0.005,
  'session: a player joins': 0.015,
  'GCP: make, with a tag': 0.01,
  'pin: make': 0.01,
  'file: upload': 0.01,
}

/** Writes results/scaling.md: the resources for rates beyond this machine, extrapolated from the measured cost of a request. Nothing before mixed and growth have run. */
export function writeScaling(results: string): void {
  const [mixed, growth] = [read<Mixed & { load: number }>(results, 'mixed.json'), read<Growth>(results, 'growth.json')]
  if (!mixed || !growth) return
  const { serviceMicroseconds, postgresMicroseconds } = mixed.cpu
  const wal = growth.operations.reduce((sum, { name, costs }) => sum + (WRITES[name] ?? 0) * costs.at(-1)!.walBytes, 0)
  const cores = (rate: number, microseconds: number) => Math.ceil((rate * microseconds) / 1e6 / BUSY)
  const rows = RATES.map((rate) => {
    const processes = cores(rate, serviceMicroseconds)
    const cells = [
      rate,
      processes,
      cores(rate, postgresMicroseconds),
      `${((rate * wal) / 1e6).toPrecision(2)} MB/s`,
      `${((rate * wal * 86_400) / 1e12).toPrecision(2)} TB`,
    ]
    return `| ${cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)).join(' | ')} |`
  })
  const bytesOf = (...tables: string[]) =>
    tables.reduce((sum, table) => sum + growth.bytes[table]!.row + growth.bytes[table]!.indexes, 0)
  const stored: [string, number, number][] = [
    ['scores, each of a separate player with one session', 1e9, bytesOf('players', 'session_players', 'player_best')],
    ['further scores of the same players', 1e9, bytesOf('session_players')],
    ['pins', 1e8, bytesOf('pins')],
    ['survey points, each with its pin', 1e8, bytesOf('gcps', 'pins')],
    ['files, rows only', 1e8, bytesOf('files')],
  ]
  writeFileSync(
    join(results, 'scaling.md'),
    `# Measured cost, extrapolated

In the last runs of \`mixed\` and \`growth\`, a request of the mix (60 % reads of boards and pins, 30 % scores, 10 % the rest) took
${Math.round(serviceMicroseconds)} µs of CPU in the service and ${Math.round(postgresMicroseconds)} µs in PostgreSQL, and wrote ${Math.round(wal)} bytes of WAL (without full-page writes).
The load average of the machine was ${mixed.load} at the end of the mix, which causes about 3 itself on two cores: with a higher load,
the CPU times are too high. Cores are assumed to be ${BUSY * 100} % busy; a process of the service uses one. Written by
\`npm run bench -- --table\`; the reasoning: [docs/scaling.md](../../docs/scaling.md).

| requests/s | processes of the service | cores of PostgreSQL | WAL | WAL a day |
|--:|--:|--:|--:|--:|
${rows.join('\n')}

| stored | number | bytes each, with indexes | total |
|---|--:|--:|--:|
${stored.map(([what, count, bytes]) => `| ${what} | ${count.toLocaleString('en')} | ${bytes} | ${((count * bytes) / 1e9).toFixed(0)} GB |`).join('\n')}
`,
  )
}

function read<Result>(results: string, name: string): Result | undefined {
  const file = join(results, name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result) : undefined
}
