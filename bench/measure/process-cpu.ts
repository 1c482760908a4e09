import { readFile } from 'node:fs/promises'
import { childrenOf } from './process-memory.ts'

/** Ticks of the kernel's clock in a second, on every Linux there is (USER_HZ). */
const TICKS = 100

/** CPU seconds that a process has used, with those of the processes it started: that run, and that have ended. From Linux, proc(5). */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const counts = await fieldsOf(pid)
  const own = counts.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
  const others = await Promise.all((await childrenOf(pid)).map(cpuSecondsOf))
  return others.reduce((sum, seconds) => sum + seconds, own)
}

/** CPU seconds of the processes that a process started and that have ended. */
export async function cpuSecondsOfExitedChildren(pid: number): Promise<number> {
  const counts = await fieldsOf(pid)
  return (Number(counts[13]) + Number(counts[14])) / TICKS
}

/** The process that started one. */
export const parentOf = async (pid: number): Promise<number> => Number((await fieldsOf(pid))[1])

/** What /proc/<pid>/stat says behind the name: state, parent, …; the four times are utime, stime, cutime, cstime. */
async function fieldsOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
