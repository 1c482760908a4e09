import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Megabytes a process has for itself, with its share of what it has in common with others (PSS), from Linux. */
async function megabytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss: +(\d+) kB$/m.exec(text)![1]) / 1024
}

/** By how many megabytes a process grew at its highest while the work was done, over what it had before. */
export async function growthDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await megabytesOf(pid)
  let peak = before
  let isDone = false
  const watching = (async () => {
    while (!isDone) {
      peak = Math.max(peak, await megabytesOf(pid))
      await sleep(25)
    }
  })()
  await work().finally(() => {
    isDone = true
  })
  await watching
  return peak - before
}
