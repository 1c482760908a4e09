import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** On stop, wait no longer for an interruptible task: what follows has to end in time too. */
const STOP_MS = 5000

/**
 * Runs a task repeatedly while the service listens; on stop, waits at most five seconds for it. Failures are reported,
 * and the next run retries.
 */
export function scheduleEvery(
  app: FastifyInstance,
  { everyMs, work, onError }: { everyMs: number; work: () => Promise<unknown>; onError: (error: unknown) => void },
) {
  let running: Promise<unknown> | undefined
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    timer = setInterval(() => {
      running ??= work()
        .catch(onError)
        .finally(() => {
          running = undefined
        })
    }, everyMs).unref()
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })])
  })
}
