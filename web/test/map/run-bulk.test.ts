import { expect, test } from 'vitest'
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
