import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Megabytes a process has for itself, with its share of what it has in common with others (PSS), from Linux; 0 when it is gone. */
async function pssMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss: +(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024
}

/** The processes that a process started and that are still there. */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''))
  return (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}

/** Memory of a process and of all that it started, in megabytes. */
export type Memory = { own: number; started: number; whole: number }

/** What they have now. */
export async function memoryOf(pid: number): Promise<Memory> {
  const own = await pssMegabytes(pid)
  const others = await Promise.all((await childrenOf(pid)).map(pssMegabytes))
  const started = others.reduce((sum, megabytes) => sum + megabytes, 0)
  return { own, started, whole: own + started }
}

/** The most that a process, what it started, and both together had while the work was done. */
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

/** By how many megabytes a process grew at its highest while the work was done, over what it had before. */
export async function growthDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await pssMegabytes(pid)
  return (await peakDuring(pid, work)).own - before
}
