import { expect, test } from 'vitest'
import { distanceOf } from '../../../src/map/geodesic.ts'
import { fixesOf, pathOf } from '../../../src/pages/game/fences/simulator/walk.ts'

const START = Date.parse('2026-05-04T10:00:00Z')
const secondsOf = ({ at }: { at: string }) => (Date.parse(at) - START) / 1000

test('a walk is measured each second at its speed, and once more at its end', () => {
  const fixes = fixesOf(pathOf('0, 0\n0, 0.0001'), { speed: 7.2, accuracy: 5, wait: 0 }, START)
  expect(fixes.slice(0, -1).map(secondsOf)).toEqual([0, 1, 2, 3, 4, 5])
  expect(secondsOf(fixes.at(-1)!)).toBeCloseTo(5.566, 2)
  expect(fixes.at(-1)).toMatchObject({ lat: 0, lon: 0.0001, accuracy: 5 })
  for (const [i, fix] of fixes.slice(1, -1).entries()) expect(distanceOf(fixes[i]!, fix)).toBeCloseTo(2, 6)
})

test('a walk waits at each place', () => {
  const fixes = fixesOf(pathOf('0, 0\n0, 0.0001'), { speed: 7.2, accuracy: 5, wait: 3 }, START)
  expect(fixes.filter(({ lon }) => lon === 0).map(secondsOf)).toEqual([0, 1, 2, 3])
  expect(secondsOf(fixes.at(-1)!) - secondsOf(fixes.find(({ lon }) => lon === 0.0001)!)).toBeGreaterThan(2)
})

test('a long walk is measured as often as one simulation takes, and to its end', () => {
  const fixes = fixesOf(pathOf('0, 0\n0, 1'), { speed: 5, accuracy: 5, wait: 60 }, START)
  expect(fixes.length).toBeLessThanOrEqual(1000)
  expect(fixes.length).toBeGreaterThan(990)
  expect(fixes.at(-1)).toMatchObject({ lat: 0, lon: 1 })
})

test('a walk across 180° takes the short way', () => {
  const fixes = fixesOf(pathOf('-17, 179.9999\n-17, -179.9999'), { speed: 5, accuracy: 5, wait: 0 }, START)
  expect(secondsOf(fixes.at(-1)!)).toBeLessThan(20)
  for (const { lon } of fixes) expect(Math.abs(lon)).toBeGreaterThan(179.99)
  for (const { lon } of fixes) expect(Math.abs(lon)).toBeLessThanOrEqual(180)
})

test.each(['54.32', '54.32, 10.14, 3', '91, 10', 'the well'])('a line that is no place is named: %s', (line) => {
  expect(() => pathOf(`54.32, 10.14\n\n${line}`)).toThrow('3')
})
