import { cpuMicrosecondsOf } from './cpu-microseconds.ts'
import { cpuSecondsOf } from './process-cpu.ts'

/** The CPU time so far, in microseconds, of a service that started its own PostgreSQL, apart from that of PostgreSQL. */
export async function serviceCpu(pid: number, postmaster: number): Promise<{ service: number; postgres: number }> {
  const [all, postgres] = [(await cpuSecondsOf(pid)) * 1e6, await cpuMicrosecondsOf(postmaster)]
  return { service: all - postgres, postgres }
}
