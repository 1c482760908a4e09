import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** A stop waits no longer for one that may break off anywhere: what comes after it has to end in order too. */
const STOP_MS = 5000

/** Does something again and again while the service listens, and when the service stops waits five seconds at most for it. What fails is told, and tried again the next time. */
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
