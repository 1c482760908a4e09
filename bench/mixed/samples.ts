import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from '../measure/process-memory.ts'

/** Memory in megabytes: of the service (RSS), and of the database with all its processes (PSS, which divides shared memory). */
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

/** Growth in megabytes an hour: the slope of a linear regression over the second half of the samples. In the first half the process allocates its working memory: a garbage collection precedes. */
export function slopeOf(all: Sample[], what: 'service' | 'database'): number {
  const samples = all.slice(all.length >> 1)
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length
  const [x, y] = [mean(({ seconds }) => seconds), mean((one) => one[what])]
  const both = mean((one) => (one.seconds - x) * (one[what] - y))
  return (both / mean((one) => (one.seconds - x) ** 2)) * 3600
}
