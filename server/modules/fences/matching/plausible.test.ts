import fc from 'fast-check'
import { expect, test } from 'vitest'
import { away } from '../../../test/fences/fence-world.ts'
import type { Fix } from './fix.ts'
import {
  CLOCK_MS,
  isConsistent,
  metresBetween,
  nextPlausible,
  PLAUSIBLE_SPEED,
  type Plausible,
  settled,
} from './plausible.ts'

const NOW = 1_700_000_000_000
const START = { lat: 48, lon: 11 }
const upTo = (max: number) => fc.integer({ min: 0, max })

test('whatever times fixes claim, plausible ones are no farther apart than the time between their receipts allows', () => {
  // Later and later times, and moves of about what they explain.
  const claims = fc.array(
    fc.record({ wait: upTo(5000), late: fc.integer({ min: -60_000, max: 300_000 }), percent: upTo(110) }),
    { minLength: 2, maxLength: 60 },
  )
  fc.assert(
    fc.property(claims, (sent) => {
      let now = NOW
      let plausible: Plausible = { ...START, accuracy: 5, at: NOW - 300_000, received: NOW, slack: CLOCK_MS }
      const believed: { fix: Fix; received: number }[] = [{ fix: plausible, received: NOW }]
      for (const { wait, late, percent } of sent.toSorted((a, b) => b.late - a.late)) {
        now += wait
        const at = now - late
        const explained = (PLAUSIBLE_SPEED * (at - plausible.at)) / 1000
        const fix = { ...away(plausible, (explained * percent) / 100), accuracy: 5, at }
        const next = nextPlausible(plausible, fix, now)
        if (next !== plausible) believed.push({ fix, received: now })
        plausible = settled(next)
      }
      for (const [i, from] of believed.entries())
        for (const to of believed.slice(i + 1)) {
          const most = (PLAUSIBLE_SPEED * (to.received - from.received + CLOCK_MS)) / 1000
          expect(metresBetween(from.fix, to.fix)).toBeLessThanOrEqual(most + 0.001)
        }
    }),
    { numRuns: 300 },
  )
})

test('a device that moves within the limit is plausible, however late its batches come and whatever its clock says', () => {
  const walk = fc.record({
    speed: fc.integer({ min: 0, max: 45 }),
    clock: fc.integer({ min: -60_000, max: 60_000 }),
    steps: fc.array(fc.record({ after: fc.integer({ min: 1, max: 20 }), ends: fc.boolean() }), {
      minLength: 2,
      maxLength: 60,
    }),
  })
  fc.assert(
    fc.property(walk, ({ speed, clock, steps }) => {
      let plausible: Plausible | undefined
      let waiting: Fix[] = []
      let seconds = 0
      for (const { after, ends } of steps) {
        seconds += after
        const at = NOW + seconds * 1000
        waiting.push({ ...away(START, speed * seconds), accuracy: 5, at: at + clock })
        const isFull = at - waiting[0]!.at + clock > 200_000
        if (!ends && !isFull) continue
        for (const fix of waiting) {
          if (plausible) expect(isConsistent(plausible, fix, PLAUSIBLE_SPEED, at)).toBe(true)
          plausible = nextPlausible(plausible, fix, at)
          expect(plausible.at).toBe(fix.at)
        }
        plausible = settled(plausible!)
        waiting = []
      }
    }),
    { numRuns: 300 },
  )
})
