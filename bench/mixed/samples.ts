import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from '../measure/process-memory.ts'

/** Megabytes at a moment: what the service has in memory (RSS), and the database with all its processes (PSS, which counts what they share once). */
export type Sample = { seconds: number; service: number; database: number }

const EVERY_MS = 5000

/** Samples until `stop` is called. */
export function takeSamples(service: number, postmaster: number) {
  const samples: Sample[] = []
  const stopping = new AbortController()
  const began = performance.now()
  const over = (async () => {
    while (!stopping.signal.aborted) {
      const [rss, { whole }] = await Promise.all([megabytesOf(service), memoryOf(postmaster)])
      samples.push({ seconds: (performance.now() - began) / 1000, service: rss, database: whole })
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  return {
    async stop(): Promise<Sample[]> {
      stopping.abort()
      await over
      return samples
    },
  }
}

async function megabytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024
}

/** Megabytes an hour by which it grows: the slope of the straight line nearest to the later half of the samples (least squares). In the earlier half the process takes what it works with: a collection of garbage goes before. */
export function slopeOf(all: Sample[], what: 'service' | 'database'): number {
  const samples = all.slice(all.length >> 1)
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length
  const [x, y] = [mean(({ seconds }) => seconds), mean((one) => one[what])]
  const both = mean((one) => (one.seconds - x) * (one[what] - y))
  return (both / mean((one) => (one.seconds - x) ** 2)) * 3600
}
