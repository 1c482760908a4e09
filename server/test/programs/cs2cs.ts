import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folder of Debian's package proj-data: `proj.db` and the grids. */
export const PROJ_DATA = '/usr/share/proj'

const TIME_LIMIT_MS = 600_000

/** Coordinates of one point in the axis order of the register; height last. `undefined` if PROJ gives none. */
export type Coordinates = readonly number[] | undefined

export type Cs2csOptions = {
  /** A folder with `proj.db` that PROJ reads instead of Debian's: see {@link folderWithoutGrids}. */
  data?: string | undefined
}

/** An operation as `projinfo --summary` lists it. `accuracy` in metres, undefined if not stated. */
export type Operation = {
  name: string
  accuracy: number | undefined
  ballpark: boolean
  /** Whether a required grid is missing, so that PROJ cannot use it. */
  lacksGrid: boolean
}

/**
 * Transforms points with PROJ's `cs2cs`, without the network.
 * @param from a reference system in any form that PROJ accepts
 * @param points in the axis order and unit of `from`
 * @returns the points in the axis order of `to`, degrees with 12 decimals, all undefined if PROJ has no transformation; and
 * the names of the missing grid files
 */
export function cs2cs(
  from: string,
  to: string,
  points: readonly (readonly number[])[],
  options?: Cs2csOptions,
): { points: Coordinates[]; missingFiles: string[] } {
  const input = `${points.map((point) => point.join(' ')).join('\n')}\n`
  const { status, stdout, stderr } = run('cs2cs', ['-f', '%.12f', from, to], input, options, { PROJ_DEBUG: '2' })
  if (status !== 0) return { points: points.map(() => undefined), missingFiles: [] }
  const lines = stdout.trimEnd().split('\n')
  if (lines.length !== points.length) throw new Error(`cs2cs gave ${lines.length} lines for ${points.length} points`)
  const missing = [...stderr.matchAll(/^pj_open_lib\((.+?)\): call fopen\(.*\) - failed$/gm)].map(([, name]) => name!)
  return { points: lines.map(coordinates), missingFiles: [...new Set(missing)] }
}

function coordinates(line: string): Coordinates {
  const figures = line.trim().split(/\s+/).map(Number)
  return figures.every(Number.isFinite) ? figures : undefined
}

/** @returns the operation that `cs2cs` uses for this point, or undefined if it has none */
export function operationOf(
  from: string,
  to: string,
  point: readonly number[],
  options?: Cs2csOptions,
): Operation | undefined {
  const { stderr } = run('cs2cs', [from, to], `${point.join(' ')}\n`, options, { PROJ_DEBUG: '2' })
  const name = /^Using coordinate operation (.*?)(?: as a fallback due to lack of more appropriate operations)?$/m.exec(
    stderr,
  )?.[1]
  const candidates = operations(from, to, options)
  // PROJ names the operation only if it had a choice.
  return name === undefined
    ? candidates.find(({ lacksGrid }) => !lacksGrid)
    : candidates.find((candidate) => candidate.name === name)
}

/** @returns the candidate operations between two systems, PROJ's first choice first */
export function operations(from: string, to: string, options?: Cs2csOptions): Operation[] {
  const args = ['-s', from, '-t', to, '--spatial-test', 'intersects', '--summary']
  const lines = run('projinfo', args, '', options).stdout.split('\n')
  return lines.flatMap((line) => {
    const found = /^(?:unknown id|[\w()]+:\w+), (.*?), (?:([\d.]+) m|unknown accuracy), /.exec(line)
    if (!found) return []
    const accuracy = found[2] === undefined ? undefined : Number(found[2])
    return [
      {
        name: found[1]!,
        accuracy,
        ballpark: line.includes('has ballpark transformation'),
        lacksGrid: line.includes('grid missing'),
      },
    ]
  })
}

/** @returns PROJ's version, such as `9.1.1` */
export function projVersion(): string {
  return /Rel\. ([\d.]+\d)/.exec(run('cs2cs', [], '', {}).stderr)?.[1] ?? 'unknown'
}

/** @returns a new folder that has Debian's `proj.db` and none of its grids; its maker removes it */
export function folderWithoutGrids(name = `cairn-proj-${process.pid}`): string {
  const folder = join(tmpdir(), name)
  mkdirSync(folder)
  for (const file of ['proj.db', 'proj.ini']) symlinkSync(join(PROJ_DATA, file), join(folder, file))
  return folder
}

function run(
  program: string,
  args: string[],
  input: string,
  { data = PROJ_DATA }: Cs2csOptions = {},
  environment: Record<string, string> = {},
) {
  const env = { PATH: process.env.PATH, PROJ_NETWORK: 'OFF', PROJ_DATA: data, PROJ_LIB: data, ...environment }
  const done = spawnSync(program, args, { input, env, encoding: 'utf8', timeout: TIME_LIMIT_MS })
  if (done.error) throw done.error
  return done
}
