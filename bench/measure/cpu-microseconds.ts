import { readFile } from 'node:fs/promises'
import { cpuSecondsOfExitedChildren } from './process-cpu.ts'
import { childrenOf } from './process-memory.ts'

/**
 * CPU microseconds that a process of one thread and all it started have used, from Linux: PostgreSQL by its postmaster.
 * To the nanosecond for those that run (/proc/<pid>/schedstat), to ten milliseconds for those that have ended.
 */
export async function cpuMicrosecondsOf(pid: number): Promise<number> {
  const all = [pid, ...(await childrenOf(pid))]
  const texts = await Promise.all(all.map((one) => readFile(`/proc/${one}/schedstat`, 'utf8').catch(() => '0')))
  const running = texts.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1000, 0)
  return running + (await cpuSecondsOfExitedChildren(pid)) * 1e6
}
