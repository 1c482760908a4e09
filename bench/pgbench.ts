import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Throughput } from './closed-loop.ts'

/** How many scripts pgbench takes. */
export const MOST_SCRIPTS = 100

export const hasPgbench = () => !spawnSync('pgbench', ['--version']).error

/** Statements through PostgreSQL's own bench client, prepared, each picked at random. @throws what it says when it fails */
export async function pgbench(url: string, statements: string[], clients: number, ms: number): Promise<Throughput> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-pgbench-'))
  try {
    const files = statements.slice(0, MOST_SCRIPTS).flatMap((statement, n) => {
      const file = join(folder, `${n}.sql`)
      writeFileSync(file, `${statement.replaceAll(/\s+/g, ' ')};\n`)
      return ['-f', file]
    })
    const seconds = String(Math.max(1, Math.round(ms / 1000)))
    const settings = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', seconds, ...files, url]
    const child = spawn('pgbench', settings, { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    let failed = ''
    child.stdout.on('data', (chunk) => (said += chunk))
    child.stderr.on('data', (chunk) => (failed += chunk))
    await once(child, 'close')
    const rate = Number(/^tps = ([\d.]+)/m.exec(said)?.[1])
    const mean = Number(/^latency average = ([\d.]+) ms/m.exec(said)?.[1])
    if (!(rate > 0)) throw new Error(`pgbench: ${failed}`)
    return { perSecond: rate, p50Ms: mean, p99Ms: Number.NaN }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
