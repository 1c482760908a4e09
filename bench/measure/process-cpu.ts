import { readFile } from 'node:fs/promises'
import { childrenOf } from './process-memory.ts'

/** Clock ticks per second on Linux (USER_HZ). */
const TICKS = 100

/** Returns the CPU seconds of a process with its running and exited children. Source: Linux, proc(5). */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const counts = await fieldsOf(pid)
  const own = counts.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
  const others = await Promise.all((await childrenOf(pid)).map(cpuSecondsOf))
  return others.reduce((sum, seconds) => sum + seconds, own)
}

/** Returns the CPU seconds of exited children. */
export async function cpuSecondsOfExitedChildren(pid: number): Promise<number> {
  const counts = await fieldsOf(pid)
  return (Number(counts[13]) + Number(counts[14])) / TICKS
}

/** Returns the parent of a process. */
export const parentOf = async (pid: number): Promise<number> => Number((await fieldsOf(pid))[1])

/** Reads /proc/<pid>/stat after the name: state, parent, …; the four times are utime, stime, cutime, cstime. */
async function fieldsOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
