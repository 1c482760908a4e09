import { expect, test, vi } from 'vitest'
import { runBulk } from '../../src/pages/map/table/bulk/run-bulk.ts'

const later = () => new Promise((resolve) => setTimeout(resolve, 1))

test('items run a few at a time, and one that fails does not stop the others', async () => {
  let running = 0
  let most = 0
  const tried: number[] = []
  const work = async (item: number) => {
    most = Math.max(most, ++running)
    await later()
    running--
    if (item % 3 === 0) throw new Error(`not ${item}`)
    return item * 10
  }
  const outcome = await runBulk([1, 2, 3, 4, 5, 6, 7], work, { atOnce: 3, onProgress: (n) => tried.push(n) })
  expect(most).toBe(3)
  expect(outcome.done.toSorted()).toEqual([10, 20, 40, 50, 70])
  expect(outcome.failed.map(({ item }) => item).toSorted()).toEqual([3, 6])
  expect(outcome.left).toEqual([])
  expect(tried).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('a stop finishes what runs and leaves the rest', async () => {
  const stopper = new AbortController()
  const work = async (item: number) => {
    if (item === 2) stopper.abort()
    await later()
    return item
  }
  const { done, left } = await runBulk([1, 2, 3, 4, 5], work, { atOnce: 2, signal: stopper.signal })
  expect(done.toSorted()).toEqual([1, 2])
  expect(left).toEqual([3, 4, 5])
})

const refusal = (retryAfter: number | null, status = 429) =>
  Object.assign(new Error('Too many requests'), { status, retryAfter })

test('an item that is refused because of too many requests is repeated after the wait, and the others wait too', async () => {
  const attempts: number[] = []
  const waits: (number | null)[] = []
  let isOver = false
  const work = async (item: number) => {
    attempts.push(item)
    if (item === 3 && !isOver) {
      isOver = true
      throw refusal(1)
    }
    return item
  }
  const outcome = await runBulk([1, 2, 3, 4, 5], work, { atOnce: 1, onWait: (seconds) => waits.push(seconds) })
  expect(outcome).toEqual({ done: [1, 2, 3, 4, 5], failed: [], left: [] })
  expect(attempts).toEqual([1, 2, 3, 3, 4, 5])
  expect(waits).toEqual([1, null])
})

test('a stop ends a wait, and the item that was refused is among those that are left', async () => {
  const stopper = new AbortController()
  const work = async (item: number) => {
    if (item === 2) throw refusal(100)
    return item
  }
  const onWait = (seconds: number | null) => seconds !== null && stopper.abort()
  const outcome = await runBulk([1, 2, 3], work, { atOnce: 1, signal: stopper.signal, onWait })
  expect(outcome).toEqual({ done: [1], failed: [], left: [2, 3] })
})

test('items that would wait for longer than two minutes fail with the refusal', async () => {
  const error = refusal(3600)
  const work = async () => {
    throw error
  }
  const { failed } = await runBulk(['a', 'b'], work, { atOnce: 2 })
  expect(failed).toEqual([
    { item: 'a', error },
    { item: 'b', error },
  ])
})

test('an item that the service could not write now is repeated, but not for ever', async () => {
  const attempts: string[] = []
  const work = async (item: string) => {
    attempts.push(item)
    if (item === 'never' || attempts.length === 1) throw refusal(0.001, item === 'never' ? 429 : 503)
    return item
  }
  vi.useFakeTimers()
  const running = runBulk(['once', 'never'], work, { atOnce: 1 })
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  expect(await running).toMatchObject({ done: ['once'], failed: [{ item: 'never' }] })
  expect(attempts.filter((item) => item === 'never')).toHaveLength(10)
})
