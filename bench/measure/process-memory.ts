import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Returns the proportional set size (PSS) of a process in megabytes (Linux); 0 when it is gone. */
async function pssMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss: +(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024
}

/** Returns the running children of a process. */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''))
  return (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}

/** Memory of a process and its children, in megabytes. */
export type Memory = { own: number; started: number; whole: number }

/** Measures the current memory. */
export async function memoryOf(pid: number): Promise<Memory> {
  const own = await pssMegabytes(pid)
  const others = await Promise.all((await childrenOf(pid)).map(pssMegabytes))
  const started = others.reduce((sum, megabytes) => sum + megabytes, 0)
  return { own, started, whole: own + started }
}

/** Returns the peak memory of a process, its children, and both together during the work. */
export async function peakDuring(pid: number, work: () => Promise<unknown>): Promise<Memory> {
  const peak = { own: 0, started: 0, whole: 0 }
  let isDone = false
  const watching = (async () => {
    while (!isDone) {
      const now = await memoryOf(pid)
      for (const what of ['own', 'started', 'whole'] as const) peak[what] = Math.max(peak[what], now[what])
      await sleep(25)
    }
  })()
  await work().finally(() => {
    isDone = true
  })
  await watching
  return peak
}

/** Returns the peak growth of a process during the work, in megabytes. */
export async function growthDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await pssMegabytes(pid)
  return (await peakDuring(pid, work)).own - before
}
