import { readFile } from 'node:fs'
import { expect, test } from 'vitest'
import { yieldToEventLoop } from './yield-loop.ts'

test('due timers run before the work continues, also if it started in an I/O callback', async () => {
  const order: string[] = []
  await new Promise<void>((resolve, reject) => {
    readFile(import.meta.filename, () => {
      setTimeout(() => order.push('other'), 1)
      for (const until = performance.now() + 3; performance.now() < until; );
      void yieldToEventLoop()
        .then(() => order.push('long work'), reject)
        .then(() => resolve())
    })
  })
  expect(order).toEqual(['other', 'long work'])
})
