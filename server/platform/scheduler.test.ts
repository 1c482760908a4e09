import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { scheduleEvery } from './scheduler.ts'

test('stop waits for a running task, but not indefinitely', { tags: ['long'] }, async () => {
  const listening = async (work: () => Promise<void>) => {
    const app = Fastify()
    let began = 0
    scheduleEvery(app, {
      everyMs: 5,
      onError: () => {},
      work: () => {
        began++
        return work()
      },
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    await expect.poll(() => began).toBeGreaterThan(0)
    return app
  }
  let ended = false
  const short = await listening(async () => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    ended = true
  })
  await short.close()
  expect(ended).toBe(true)
  const stuck = await listening(() => new Promise(() => {}))
  await stuck.close()
})
