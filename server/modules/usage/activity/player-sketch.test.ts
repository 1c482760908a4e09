import { expect, test } from 'vitest'
import {
  EXACT,
  emptySketch,
  merged,
  playersIn,
  readSketch,
  type Sketch,
  withPlayer,
  writeSketch,
} from './player-sketch.ts'

/** The sketch of the players from one number to another. */
function sketchOf(from: number, to: number): Sketch {
  let sketch = emptySketch()
  for (let n = from; n < to; n++) sketch = withPlayer(sketch, playerId(n))
  return sketch
}
const playerId = (n: number) => `0193a7c0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
const off = (sketch: Sketch, players: number) => Math.abs(playersIn(sketch) / players - 1)

test('a player counts once however often it is added, in either case of letters', () => {
  let sketch = sketchOf(0, 12)
  sketch = withPlayer(merged(sketch, sketchOf(0, 12)), playerId(11).toUpperCase())
  expect(playersIn(sketch)).toBe(12)
})

test('up to a thousand players are counted exactly', () => {
  for (const players of [0, 1, 2, 500, EXACT]) expect(playersIn(sketchOf(0, players))).toBe(players)
})

test('more players are counted with an error of less than 3 %', () => {
  for (const players of [EXACT + 1, 5_000, 20_000, 60_000, 300_000])
    expect(off(sketchOf(0, players), players), `${players} players`).toBeLessThan(0.03)
})

test('merged sketches count the players of both, and those in both once', () => {
  expect(playersIn(merged(sketchOf(0, 600), sketchOf(300, 900)))).toBe(900)
  for (const [a, b] of [
    [sketchOf(0, 600), sketchOf(300, 9_000)],
    [sketchOf(0, 9_000), sketchOf(8_000, 8_500)],
  ] as const)
    expect(off(merged(a, b), 9_000)).toBeLessThan(0.03)
  expect(off(merged(sketchOf(0, 30_000), sketchOf(20_000, 50_000)), 50_000)).toBeLessThan(0.03)
})

test('a sketch that is written and read counts the same', () => {
  for (const players of [0, 7, EXACT, 40_000]) {
    const sketch = sketchOf(0, players)
    const bytes = writeSketch(sketch)
    expect(bytes.length).toBeLessThanOrEqual(1 + 2 ** 14)
    expect(playersIn(readSketch(bytes))).toBe(playersIn(sketch))
  }
})
