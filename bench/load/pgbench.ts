import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { QueryConfig } from 'pg'
import type { Throughput } from './closed-loop.ts'

export const hasPgbench = () => !spawnSync('pgbench', ['--version']).error

/**
 * Runs a prepared statement with pgbench, with values picked at random from `queries`, which differ in numbers only.
 * Rows are read and discarded.
 * @throws with the output of pgbench when it fails
 */
export async function pgbench(url: string, queries: QueryConfig[], clients: number, ms: number): Promise<Throughput> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-pgbench-'))
  try {
    const file = join(folder, 'script.sql')
    writeFileSync(file, scriptOf(queries))
    const seconds = String(Math.max(1, Math.round(ms / 1000)))
    const settings = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', seconds, '-f', file, url]
    const child = spawn('pgbench', settings, { stdio: ['ignore', 'pipe', 'pipe'] })
    let [output, failed] = ['', '']
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      failed += chunk
    })
    await once(child, 'close')
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(output)?.[1])
    const meanMs = Number(/^latency average = ([\d.]+) ms/m.exec(output)?.[1])
    if (!(perSecond > 0)) throw new Error(`pgbench: ${failed || output}`)
    return { perSecond, p50Ms: meanMs, p99Ms: Number.NaN }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** pgbench variables are numbers. Values are picked by a tree of comparisons, which costs about a microsecond. */
function scriptOf(queries: QueryConfig[]): string {
  if (queries.some(({ text }) => text !== queries[0]!.text)) throw new Error('pgbench: the statements are not the same')
  const places = queries[0]!.values!.map((_value, place) => place)
  const sets = places.map(
    (place) =>
      `\\set v${place + 1} ${tree(
        queries.map(({ values }) => Number(values![place])),
        0,
      )}`,
  )
  const statement = queries[0]!.text.replaceAll(/\s+/g, ' ').replaceAll(/\$(\d+)/g, ':v$1')
  return `\\set i random(0, ${queries.length - 1})\n${sets.join('\n')}\n${statement};\n`
}

function tree(numbers: number[], first: number): string {
  if (numbers.every((number) => number === numbers[0])) return `(${numbers[0]})`
  const half = numbers.length >> 1
  return `case when :i < ${first + half} then ${tree(numbers.slice(0, half), first)} else ${tree(numbers.slice(half), first + half)} end`
}
