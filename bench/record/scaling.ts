import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Growth } from '../growth/growth.ts'
import type { Mixed } from '../mixed/mixed.ts'

const RATES = [1e3, 1e4, 1e5, 1e6]
/** Of a core, so that a neighbour that fails can be carried. */
const BUSY = 0.6
/** How often each write comes in a mixed request, by the growth bench's names; as mixed/operations.ts has it. */
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

/** Writes results/scaling.md: what the measured cost of a request comes to at rates that this machine does not reach. Nothing where mixed or growth was never run. */
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
    ['scores, each of a player of its own with one session', 1e9, bytesOf('players', 'session_players', 'player_best')],
    ['further scores of the same players', 1e9, bytesOf('session_players')],
    ['pins', 1e8, bytesOf('pins')],
    ['survey points, each with its pin', 1e8, bytesOf('gcps', 'pins')],
    ['files, their rows alone', 1e8, bytesOf('files')],
  ]
  writeFileSync(
    join(results, 'scaling.md'),
    `# What the measured cost comes to

A request of the mix (60 % reads of boards and pins, 30 % scores, 10 % the rest) took ${Math.round(serviceMicroseconds)} µs of CPU in
the service and ${Math.round(postgresMicroseconds)} µs in PostgreSQL, and writes ${Math.round(wal)} bytes of WAL (without whole pages), by the last
runs of \`mixed\` and \`growth\`. The load average of the machine was ${mixed.load} by the end of the mix, which
makes about 3 by itself on two cores: with more, the times of CPU are too high by what others took. Cores are meant to be ${BUSY * 100} % busy; a process of the service uses one. Written by
\`npm run bench -- --table\`; what is behind it: [docs/scaling.md](../../docs/scaling.md).

| requests/s | processes of the service | cores of PostgreSQL | WAL | WAL a day |
|--:|--:|--:|--:|--:|
${rows.join('\n')}

| stored | how many | bytes each, with indexes | together |
|---|--:|--:|--:|
${stored.map(([what, count, bytes]) => `| ${what} | ${count.toLocaleString('en')} | ${bytes} | ${((count * bytes) / 1e9).toFixed(0)} GB |`).join('\n')}
`,
  )
}

function read<Result>(results: string, name: string): Result | undefined {
  const file = join(results, name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result) : undefined
}
