import type { Comparison } from './comparison.ts'

/**
 * The target of a benchmark figure. A budget applies to all comparisons whose name matches `name`.
 * @param figure `ratio`, or a member of `ours`
 * @param atLeast or
 * @param atMost: the bound
 */
export type Budget = { what: string; bench: string; name: RegExp; figure: string; atLeast?: number; atMost?: number }

const row = (what: string, bench: string, name: RegExp, figure: string, bound: Pick<Budget, 'atLeast' | 'atMost'>) => ({
  what,
  bench,
  name,
  figure,
  ...bound,
})
const µs = 'ours.µs'

/** In the order of the table. */
export const budgets: Budget[] = [
  row('GET player, CPU beside bare node:http', 'requests', /^GET player/, 'ratio', { atLeast: 0.75 }),
  row('Leaderboard of 100, CPU beside bare node:http', 'requests', /^leaderboard of 100/, 'ratio', { atLeast: 0.85 }),
  row('Validated POST, CPU beside bare node:http', 'requests', /^validated POST/i, 'ratio', { atLeast: 0.75 }),
  row('Cached GET, CPU beside bare node:http', 'requests', /^cached GET/i, 'ratio', { atLeast: 0.7 }),
  row('Leaderboard of 100 at a million, CPU µs of Node', 'requests', /^leaderboard of 100/, 'ours.cpuMicroseconds', {
    atMost: 200,
  }),
  row('App key check on a hit, µs', 'checks', /^app key, known/, µs, { atMost: 3 }),
  row('App key check on a hit, queries', 'checks', /^app key, known/, 'ours.queries', { atMost: 0 }),
  row('Rank at any place of a million, µs', 'rank', /^rank at the/, µs, { atMost: 3 }),
  row('Update and rank at a million, µs', 'rank', /^update and rank/, µs, { atMost: 3 }),
  row('Rank index at a million, bytes a player', 'rank', /^space of a key/, 'ours.bytes', { atMost: 14 }),
  row('Load of a board of a million, s', 'rank', /^load a board/, 'ours.seconds', { atMost: 1 }),
  row('Rank at any place of ten million, µs', 'rank-10m', /^rank at the/, µs, { atMost: 3 }),
  row('Update and rank at ten million, µs', 'rank-10m', /^update and rank/, µs, { atMost: 3 }),
  row('Rank index at ten million, bytes a player', 'rank-10m', /^space of a key/, 'ours.bytes', { atMost: 14 }),
  row('Load of a board of ten million, s', 'rank-10m', /^load a board/, 'ours.seconds', { atMost: 9 }),
  row('Rank request at a million, p50 beside GET player', 'requests', /^global-ranking/, 'ratio', { atMost: 1.3 }),
  row('Rank request at ten million, p50 beside GET player', 'rank-10m', /^global-ranking/, 'ratio', { atMost: 1.3 }),
  row('save_score beside a bare UPDATE, 16 clients', 'scores', /^save_score . bare/, 'ratio', { atLeast: 0.5 }),
  row('Mix of requests with 10 million rows beside 100,000', 'mixed-growth', /^mix/, 'ratio', { atLeast: 0.8 }),
  row('Score over HTTP beside save_score, 16 clients', 'requests', /^PATCH score/, 'ratio', { atLeast: 0.8 }),
  row('Groups beside save_score, 64 clients', 'scores', /^score writer . save_score, 64/, 'ratio', { atLeast: 2 }),
  row('Groups beside a bare UPDATE, 64 clients', 'scores', /^score writer . bare UPDATE, 64/, 'ratio', { atLeast: 1 }),
  row(
    'Score over HTTP with history and three more boards, beside one without, 16 clients',
    'recorded-scores',
    /^PATCH score .* 16 clients/,
    'ratio',
    { atLeast: 0.7 },
  ),
  row('… 64 clients', 'recorded-scores', /^PATCH score .* 64 clients/, 'ratio', { atLeast: 0.7 }),
  row('… in the database alone, 16 clients', 'recorded-scores', /^save_score with history and/, 'ratio', {
    atLeast: 0.7,
  }),
  row('… in groups, 64 clients', 'recorded-scores', /^score writer with history and/, 'ratio', { atLeast: 0.7 }),
  row(
    'Rank in the middle of a segment of a million, beside counting',
    'segments',
    /^rank over HTTP at the middle/,
    'ratio',
    { atMost: 0.1 },
  ),
  row('Scores as a day ends on 10,000 boards, beside the next ones', 'rollover', /^the first score/, 'ratio', {
    atLeast: 0.5,
  }),
  row('Memory of 100,000 requested boards, beside CAIRN_RANK_BYTES', 'board-memory', /^memory after/, 'ratio', {
    atMost: 1.1,
  }),
  ...[100, 1000, 5000].map((metres) =>
    row(
      `Pins within ${metres} m of a million, beside pgbench`,
      'pins',
      new RegExp(`^pins within ${metres} m .* pgbench`),
      'ratio',
      {
        atLeast: 0.8,
      },
    ),
  ),
  row('Upload of 100 MB, speed beside a raw pipe', 'uploads', /^POST .api.upload of 100 MB . a raw pipe to/, 'ratio', {
    atLeast: 0.5,
  }),
  row('Memory of eight uploads of 200 MB at once, MB more', 'uploads', /^8 uploads/, 'ours.megabytes', { atMost: 50 }),
  row('Memory of an upload of 2 GB, MB more', 'uploads', /^an upload/, 'ours.megabytes', { atMost: 50 }),
  row('Conversion of a million triangles, s', 'convert', /^GLB to USDZ, 1,000,000 triangles$/, 'ours.seconds', {
    atMost: 0.6,
  }),
  row('… its package, bytes', 'convert', /^GLB to USDZ, 1,000,000 triangles$/, 'ours.bytes', { atMost: 16.1e6 }),
  row('… its memory, MB', 'convert', /^GLB to USDZ, 1,000,000 triangles$/, 'ours.megabytesOfMemory', { atMost: 200 }),
  row("… beside three.js's exporter, times faster", 'convert', /^GLB to USDZ, 1,000,000 triangles$/, 'ratio', {
    atLeast: 10,
  }),
  row('Conversion of a model of 48 MB, s', 'convert', /^GLB to USDZ, 47.*4096²$/, 'ours.seconds', { atMost: 1.2 }),
  row('Conversion of all samples, s', 'convert', /^GLB to USDZ, all/, 'ours.seconds', { atMost: 10 }),
  row('CSV import, rows a CPU second of the service', 'imports', /^import of/, 'ours.rowsPerCpuSecondOfTheService', {
    atLeast: 20_000,
  }),
  row('CSV import, MB more over the first 200,000 rows', 'imports', /^memory: growth/, 'ours.megabytes', {
    atMost: 60,
  }),
  row('CSV import, MB more up to a million rows', 'imports', /^memory: further/, 'ours.megabytes', { atMost: 30 }),
  row('… of them in use after a collection', 'imports', /^in use after a collection/, 'ours.megabytes', { atMost: 5 }),
  row('Start, warm, s', 'start', /^start, warm/, 'ours.seconds', { atMost: 1 }),
  row('Start, the first ever, s', 'start', /^start, first/, 'ours.seconds', { atMost: 3 }),
  row('npm install to /readyz, s', 'install', /^npm install/, 'ours.seconds', { atMost: 20 }),
  row('… the package on disk, MB', 'install', /^npm install/, 'ours.megabytesOnDisk', { atMost: 128 }),
  row('… packages', 'install', /^npm install/, 'ours.packages', { atMost: 20 }),
  row('Idle memory with the database, MB', 'start', /^idle memory/, 'ours.megabytes', { atMost: 250 }),
  row('Idle CPU with the database, ms a second', 'start', /^idle CPU/, 'ours.millisecondsASecond', { atMost: 15 }),
  row('Score and rank beside PocketBase', 'peers', /^(a score and its|score and) rank.*PocketBase.*16/, 'ratio', {
    atLeast: 5,
  }),
  row('A player beside PocketBase, one client', 'peers', /^one player.*one client/, 'ratio', { atLeast: 1.2 }),
  row('A player beside PocketBase, 16 clients', 'peers', /^one player.*16/, 'ratio', { atLeast: 2 }),
  row('A board of 100 beside PocketBase, one client', 'peers', /^a board.*one client/, 'ratio', { atLeast: 3 }),
  row('A board of 100 beside PocketBase, 16 clients', 'peers', /^a board.*16/, 'ratio', { atLeast: 5 }),
  row('A score beside PocketBase, 16 clients', 'peers', /^a score, .*16/, 'ratio', { atLeast: 1 }),
  row('A score by one client, p50 beside one fdatasync', 'peers', /^a score by/, 'ratio', { atMost: 1.5 }),
  row('Update and rank beside Redis, time', 'peers', /^update and rank/, 'ratio', { atMost: 0.2 }),
  row('First page of the console, bytes sent', 'console', /^first page/, 'ours.bytes', { atMost: 350_000 }),
  row('First of a million pins on the map after its style, s', 'console', /^seconds from the style/, 'ours.seconds', {
    atMost: 1,
  }),
  row('Frames while a map with a million pins is dragged, beside none', 'console', /^frames while/, 'ratio', {
    atLeast: 0.8,
  }),
  row('Cameras inside their ellipsoid of 95 %, share', 'poses', /photos: all$/, 'ours.share', { atLeast: 0.93 }),
  row('… neither too cautious', 'poses', /photos: all$/, 'ours.share', { atMost: 0.97 }),
]

export const budgetsOf = (bench: string, name: string): Budget[] =>
  budgets.filter((budget) => budget.bench === bench && budget.name.test(name))

/** @returns undefined if the comparison has no such figure */
export function figureOf({ ratio, ours }: Pick<Comparison, 'ratio' | 'ours'>, figure: string): number | undefined {
  if (figure === 'ratio') return ratio
  const value = (ours as Record<string, unknown>)[figure.replace('ours.', '')]
  return typeof value === 'number' ? value : undefined
}

export const isMet = ({ atLeast, atMost }: Budget, value: number): boolean =>
  (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost)
