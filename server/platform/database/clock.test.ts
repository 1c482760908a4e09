import { afterEach, expect, test, vi } from 'vitest'
import { databaseClock } from './clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

const HOUR = 3_600_000

/** A clock in a process whose own clock has this error; the test advances time. */
function processThatIs(wrongMs: number) {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2026, 0, 1) })
  const right = () => Date.UTC(2026, 0, 1) + performance.now()
  vi.setSystemTime(Date.now() + wrongMs)
  const clock = databaseClock()
  return {
    clock,
    right,
    goOn: (ms: number) => vi.advanceTimersByTime(ms),
    /** The database responds after that long, and read its clock halfway. */
    ask(ms: number, databaseIsWrongBy = 0) {
      const asked = performance.now()
      vi.advanceTimersByTime(ms / 2)
      const said = right() + databaseIsWrongBy
      vi.advanceTimersByTime(ms / 2)
      clock.learn(said, asked, performance.now())
    },
  }
}

test('follows the database if the clock of the process is wrong or changes', () => {
  const { clock, right, goOn, ask } = processThatIs(-HOUR)
  expect(clock.now()).toBe(right() - HOUR)
  ask(4)
  goOn(1000)
  expect(clock.now()).toBe(right() + 2)
  vi.setSystemTime(Date.now() + 2 * HOUR)
  expect(clock.now()).toBe(right() + 2)
})

test('a slow response does not replace the tighter bounds of a fast one', () => {
  const { clock, right, ask } = processThatIs(0)
  ask(4)
  ask(3000)
  expect(clock.now()).toBe(right() + 2)
})

test('follows another database with another clock at once', () => {
  const { clock, right, ask } = processThatIs(0)
  ask(4)
  ask(4, HOUR)
  expect(clock.now()).toBe(right() + HOUR + 2)
})
