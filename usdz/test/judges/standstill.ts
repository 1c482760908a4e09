import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

const LOOK_MS = 1_000
/** A process on a busy machine runs long before this. */
const STANDSTILL_MS = 10_000
/** A deadlocked process still handles timers: a hundredth of a processor. */
const IDLE_TICKS = 10

/**
 * Kills a process that has used almost no CPU for ten seconds, because its threads are deadlocked. Does nothing where CPU time
 * is unavailable (Linux has it).
 * @returns a function that ends the watch
 */
export function killAtStandstill(child: ChildProcess): () => void {
  let used = -1
  let since = performance.now()
  const timer = setInterval(() => {
    const now = processorTime(child.pid)
    if (now === undefined) return
    if (used < 0 || now > used + IDLE_TICKS) [used, since] = [now, performance.now()]
    else if (performance.now() - since > STANDSTILL_MS) child.kill('SIGKILL')
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Ticks in user and kernel mode of all its threads (proc_pid_stat(5), fields 14 and 15). */
function processorTime(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return undefined
  }
}
