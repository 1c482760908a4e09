import { readFile } from 'node:fs/promises'
import { cpuSecondsOfExitedChildren } from './process-cpu.ts'
import { childrenOf } from './process-memory.ts'

/**
 * Returns the CPU time of a single-threaded process and its children in microseconds (Linux), e.g. PostgreSQL by its
 * postmaster. The resolution is a nanosecond for running processes (/proc/<pid>/schedstat) and ten milliseconds for
 * exited ones.
 */
export async function cpuMicrosecondsOf(pid: number): Promise<number> {
  const all = [pid, ...(await childrenOf(pid))]
  const texts = await Promise.all(all.map((one) => readFile(`/proc/${one}/schedstat`, 'utf8').catch(() => '0')))
  const running = texts.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1000, 0)
  return running + (await cpuSecondsOfExitedChildren(pid)) * 1e6
}
