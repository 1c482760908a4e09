import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createConcurrencyLimiter } from './concurrency-limiter.ts'

const full = () => new Error('full')

test('never more turns are taken than there are, all work is done, and in the order it came', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ turns: fc.integer({ min: 1, max: 3 }), fails: fc.boolean() })),
      async (work) => {
        const inTurn = createConcurrencyLimiter({ maxConcurrent: 3, maxWaiting: 1000, full })
        const begun: number[] = []
        let taken = 0
        const results = await Promise.allSettled(
          work.map(({ turns, fails }, i) =>
            inTurn(turns, async () => {
              begun.push(i)
              taken += turns
              expect(taken).toBeLessThanOrEqual(3)
              await new Promise((resolve) => setImmediate(resolve))
              taken -= turns
              if (fails) throw new Error('no')
              return i
            }),
          ),
        )
        expect(begun).toEqual(work.map((_one, i) => i))
        expect(results.map(({ status }) => status)).toEqual(work.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')))
      },
    ),
  )
})

test('who would be one too many to wait is refused, and the others go on', async () => {
  const inTurn = createConcurrencyLimiter({ maxConcurrent: 1, maxWaiting: 2, full })
  let end = () => {}
  const first = inTurn(1, () => new Promise<void>((resolve) => (end = resolve)))
  const others = [1, 2].map((n) => inTurn(1, async () => n))
  await expect(inTurn(1, async () => 3)).rejects.toThrow('full')
  end()
  expect(await Promise.all([first, ...others])).toEqual([undefined, 1, 2])
})

test('senders take turns: who comes later with little waits for one piece of who came with much, and pushes out its last', async () => {
  const inTurn = createConcurrencyLimiter({ maxConcurrent: 1, maxWaiting: 3, full })
  const begun: string[] = []
  const send = (sender: string, name: string) =>
    inTurn(
      1,
      async () => {
        begun.push(name)
        await new Promise((resolve) => setImmediate(resolve))
      },
      sender,
    )
  const much = ['a1', 'a2', 'a3', 'a4'].map((name) => send('a', name))
  const little = [send('b', 'b1'), send('c', 'c1')]
  const results = await Promise.allSettled([...much, ...little])
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2'])
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, false, true, true])
})
