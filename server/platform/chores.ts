import type { FastifyInstance } from 'fastify'

/** Does something again and again while the service listens, and waits for it when the service stops. What fails is told, and tried again the next time. */
export function doRegularly(
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
    await running
  })
}
