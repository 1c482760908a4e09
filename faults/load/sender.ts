import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Context } from '../row.ts'
import type { Call } from './client.ts'
import type { Traffic } from './steady-traffic.ts'

export type Order =
  | { kind: 'steady'; perSecond: number; seconds: number; calls: Call[] }
  | { kind: 'flood'; clients: number; calls: Call[] }
  | { kind: 'stop' }

/** The lowest priority: an attacker's own work does not count as work of the service. */
const LOWEST_PRIORITY = 19

/**
 * Sends requests from a process of its own, so that its event loop does nothing else.
 * @param isAttacker gives the process the lowest priority
 */
export function startSender({ after }: Context, url: string, { isAttacker = false } = {}) {
  const child = fork(fileURLToPath(new URL('sender-process.ts', import.meta.url)), [url], { detached: true })
  after(() => child.kill('SIGKILL'))
  if (isAttacker) giveWay(child.pid!)
  const result = async <Result>(order: Order): Promise<Result> => {
    child.send(order)
    const [answer] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('A sender ended'))),
    ])
    return answer
  }

  return {
    /** Sends requests at a fixed rate, as {@link Traffic} of `steadyTraffic`. */
    steady: ({ perSecond, seconds, calls }: { perSecond: number; seconds: number; calls: () => Call }) =>
      result<Traffic>({
        kind: 'steady',
        perSecond,
        seconds,
        calls: Array.from({ length: perSecond * seconds }, calls),
      }),

    /** Lets clients send these requests in turn, each without a pause after a 200, until stopped. */
    flood(calls: Call[], clients: number) {
      const statuses = result<Record<number, number>>({ kind: 'flood', clients, calls })
      // A row that fails earlier never asks for them.
      statuses.catch(() => {})
      return {
        /** @returns the number of responses by status */
        stop: () => {
          child.send({ kind: 'stop' } satisfies Order)
          return statuses
        },
      }
    },
  }
}

/** Gives a process that leads its session the lowest priority. Linux shares the processors between sessions first. */
function giveWay(pid: number) {
  setPriority(pid, LOWEST_PRIORITY)
  const session = `/proc/${pid}/autogroup`
  if (existsSync(session)) writeFileSync(session, String(LOWEST_PRIORITY))
}
