import { expect, test } from 'vitest'
import { dueAt, outdated } from './schedule.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const success = (at: number) => ({ at, seconds: 1, bytes: 1, place: '/a' })

test('a backup is due an interval after the start of the last; a failed one after a quarter, or an hour if that is less', () => {
  expect(dueAt({ triedAt: null, success: null }, DAY)).toBe(0)
  expect(dueAt({ triedAt: null, success: success(DAY) }, DAY)).toBe(0)
  expect(dueAt({ triedAt: 100, success: success(100 + HOUR) }, DAY)).toBe(100 + DAY)
  expect(dueAt({ triedAt: 100, success: success(99) }, 20 * MINUTE)).toBe(100 + 5 * MINUTE)
  expect(dueAt({ triedAt: 100, success: null }, DAY)).toBe(100 + HOUR)
})

test('the newest backup is never outdated, however old it is', () => {
  const all = [30, 20, 10].map((days) => ({ at: days * DAY }))
  expect(outdated(all, { count: 1, days: 1, now: 1000 * DAY })).toEqual(all.slice(1))
  expect(outdated(all.slice(0, 1), { count: 1, days: 1, now: 1000 * DAY })).toEqual([])
  expect(outdated(all, { count: 2, days: undefined, now: 1000 * DAY })).toEqual(all.slice(2))
  expect(outdated(all, { count: 9, days: 15, now: 31 * DAY })).toEqual(all.slice(2))
})
