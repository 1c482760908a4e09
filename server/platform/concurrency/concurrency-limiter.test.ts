import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createConcurrencyLimiter } from './concurrency-limiter.ts'

const full = () => new Error('full')

test('bounds the weight of running tasks by maxConcurrent, and runs all in order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ weight: fc.integer({ min: 1, max: 3 }), fails: fc.boolean() })),
      async (work) => {
        const limit = createConcurrencyLimiter({ maxConcurrent: 3, maxWaiting: 1000, full })
        const begun: number[] = []
        let taken = 0
        const results = await Promise.allSettled(
          work.map(({ weight, fails }, i) =>
            limit(
              async () => {
                begun.push(i)
                taken += weight
                expect(taken).toBeLessThanOrEqual(3)
                await new Promise((resolve) => setImmediate(resolve))
                taken -= weight
                if (fails) throw new Error('no')
                return i
              },
              { weight },
            ),
          ),
        )
        expect(begun).toEqual(work.map((_one, i) => i))
        expect(results.map(({ status }) => status)).toEqual(work.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')))
      },
    ),
  )
})

test('rejects a task beyond maxWaiting, and continues with the others', async () => {
  const limit = createConcurrencyLimiter({ maxConcurrent: 1, maxWaiting: 2, full })
  let end = () => {}
  const first = limit(() => new Promise<void>((resolve) => (end = resolve)))
  const others = [1, 2].map((n) => limit(async () => n))
  await expect(limit(async () => 3)).rejects.toThrow('full')
  end()
  expect(await Promise.all([first, ...others])).toEqual([undefined, 1, 2])
})

test('rejects a task that is aborted while it waits, at once, and continues with the others', async () => {
  const limit = createConcurrencyLimiter({ maxConcurrent: 1, maxWaiting: 2, full })
  let end = () => {}
  const first = limit(() => new Promise<void>((resolve) => (end = resolve)))
  const leaving = new AbortController()
  const { signal } = leaving
  const left = limit(async () => 'begun', { signal }).catch((error: unknown) => error)
  const second = limit(async () => 2)
  leaving.abort(new Error('left'))
  expect(await left).toEqual(new Error('left'))
  await expect(limit(async () => 'begun', { signal })).rejects.toThrow('left')
  // Its place is free.
  const third = limit(async () => 3)
  end()
  expect(await Promise.all([first, second, third])).toEqual([undefined, 2, 3])
})

test('an aborted task that kept lighter ones waiting lets them begin', async () => {
  const limit = createConcurrencyLimiter({ maxConcurrent: 2 })
  let end = () => {}
  const first = limit(() => new Promise<void>((resolve) => (end = resolve)))
  const leaving = new AbortController()
  const heavy = limit(async () => 'begun', { weight: 2, signal: leaving.signal }).catch((error: unknown) => error)
  const light = limit(async () => 'light')
  leaving.abort(new Error('left'))
  expect([await heavy, await light]).toEqual([new Error('left'), 'light'])
  end()
  await first
})

test('a task that is aborted as it begins takes the place of no other', async () => {
  const limit = createConcurrencyLimiter({ maxConcurrent: 1 })
  const leaving = new AbortController()
  const first = limit(async () => 1, { signal: leaving.signal })
  const second = limit(async () => 2)
  leaving.abort(new Error('left'))
  expect(await Promise.all([first, second])).toEqual([1, 2])
})

test('runs senders round-robin, and rejects the last task of the sender with the most if too many wait', async () => {
  const limit = createConcurrencyLimiter({ maxConcurrent: 1, maxWaiting: 3, full })
  const begun: string[] = []
  const send = (sender: string, name: string) =>
    limit(
      async () => {
        begun.push(name)
        await new Promise((resolve) => setImmediate(resolve))
      },
      { sender },
    )
  const much = ['a1', 'a2', 'a3', 'a4'].map((name) => send('a', name))
  const little = [send('b', 'b1'), send('c', 'c1')]
  const results = await Promise.allSettled([...much, ...little])
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2'])
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, false, true, true])
})

test('rests between two tasks in proportion to the first, if the second waits', async () => {
  const limit = createConcurrencyLimiter({ maxConcurrent: 1, rest: { ratio: 3, maxMs: 1000 } })
  let endedAt = 0
  const first = limit(async () => {
    await sleep(20)
    endedAt = performance.now()
  })
  const second = await limit(async () => performance.now())
  await first
  expect(second - endedAt).toBeGreaterThan(55)
})

test('rests for at most maxMs', async () => {
  const limit = createConcurrencyLimiter({ maxConcurrent: 1, rest: { ratio: 1e6, maxMs: 10 } })
  void limit(() => sleep(20))
  expect(await limit(async () => 'run')).toBe('run')
})
