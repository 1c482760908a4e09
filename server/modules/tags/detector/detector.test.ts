import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/attack/random.ts'
import { drawScene, type ScenePart } from '../../../test/content/tags/tag-scene.ts'
import { taglessPicture } from '../../../test/content/tags/tagless-pictures.ts'
import { type DetectedTag, detectTags, type Pixel } from './detector.ts'

const distance = ([ax, ay]: Pixel, [bx, by]: Pixel) => Math.hypot(ax - bx, ay - by)
const byId = (a: { id: number }, b: { id: number }) => a.id - b.id

/** Twelve tags in four columns, turned and tilted in many ways. */
const twelve = (seed: number, side: number): ScenePart[] => {
  const { fraction } = randomOf(seed)
  return Array.from({ length: 12 }, (_, at) => ({
    id: (seed * 12 + at) % 587,
    at: [120 + (at % 4) * 180 + fraction() * 20, 100 + Math.floor(at / 4) * 190 + fraction() * 20],
    side: side + fraction() * side * 0.5,
    turn: fraction() * 360,
    tilt: fraction() * 45,
    tiltTowards: fraction() * 360,
  }))
}
const sceneOf = (seed: number, side: number) => drawScene({ width: 800, height: 600, tags: twelve(seed, side), seed })

describe('tags in a picture', () => {
  test('are found with their corners and centres, without a shift of half a pixel', () => {
    const shifts: Pixel[] = []
    for (const seed of [1, 2, 3]) {
      const { image, truths } = sceneOf(seed, 60)
      const found = detectTags(image).sort(byId)
      truths.sort(byId)
      expect(found.map(({ id }) => id)).toEqual(truths.map(({ id }) => id))
      for (const [at, { corners, centre }] of found.entries()) {
        const truth = truths[at]!
        expect(distance(centre, truth.centre)).toBeLessThan(0.35)
        for (const [i, corner] of corners.entries()) {
          expect(distance(corner, truth.corners[i]!)).toBeLessThan(0.6)
          shifts.push([corner[0] - truth.corners[i]![0], corner[1] - truth.corners[i]![1]])
        }
      }
    }
    const mean = (axis: 0 | 1) => shifts.reduce((sum, shift) => sum + shift[axis], 0) / shifts.length
    expect(Math.abs(mean(0))).toBeLessThan(0.05)
    expect(Math.abs(mean(1))).toBeLessThan(0.05)
    expect(shifts.filter(([x, y]) => Math.hypot(x, y) < 0.3).length / shifts.length).toBeGreaterThan(0.95)
  })

  test('name their corners from the bottom left of the upright tag, however the tag is turned', () => {
    for (const turn of [0, 90, 180, 270]) {
      const { image, truths } = drawScene({
        width: 300,
        height: 300,
        tags: [{ id: 9, at: [150, 150], side: 90, turn }],
      })
      const [tag] = detectTags(image) as [DetectedTag]
      for (const [i, corner] of tag.corners.entries()) expect(distance(corner, truths[0]!.corners[i]!)).toBeLessThan(1)
    }
  })

  test('are found from 20 pixels a side', () => {
    const tags = [0, 15, 30, 45, 60, 75].map(
      (turn, at): ScenePart => ({
        id: 40 + at,
        at: [70 + 70 * at, 60.4],
        side: 20,
        turn,
      }),
    )
    const found = detectTags(drawScene({ width: 500, height: 120, tags }).image)
    expect(found.map(({ id }) => id).sort()).toEqual([40, 41, 42, 43, 44, 45])
  })

  test('are found from 20 pixels a side in images that are searched in bands, large ones and each once', () => {
    const small = Array.from(
      { length: 48 },
      (_, id): ScenePart => ({
        ...{ id, at: [50 + (id % 8) * 160, 45.3 + Math.floor(id / 8) * 62], side: 20 + id / 16 },
        ...{ turn: id * 37, tilt: (id * 7) % 20, tiltTowards: id * 50 },
      }),
    )
    // It is whole in no band.
    const large: ScenePart = { id: 50, at: [640, 700], side: 300, turn: 45, tilt: 20 }
    const { image, truths } = drawScene({ width: 1280, height: 960, tags: [...small, large] })
    const found = detectTags(image, 1280 * 400).sort(byId)
    expect(found.map(({ id }) => id)).toEqual(truths.map(({ id }) => id))
    for (const [at, { centre }] of found.entries()) expect(distance(centre, truths[at]!.centre)).toBeLessThan(0.35)
  })
})

test('10,000 pictures without tags have none: noise, blocks, ground, grids, frames with random bits', {
  tags: ['long'],
}, () => {
  for (let seed = 0; seed < 10_000; seed++) {
    const { kind, image } = taglessPicture(seed)
    expect({ seed, kind, tags: detectTags(image) }).toEqual({ seed, kind, tags: [] })
  }
})

test('an image of any size is read, from a single pixel', () => {
  const sides = [1, 2, 3, 5, 8, 15, 16, 17, 21, 33, 64, 999]
  for (const width of sides)
    for (const height of sides) {
      const { fraction } = randomOf(width * 1000 + height)
      const pixels = Uint8Array.from({ length: width * height }, () => fraction() * 255)
      expect({ width, height, tags: detectTags({ width, height, pixels }) }).toEqual({ width, height, tags: [] })
    }
})

test('the built detector is that of its sources', () => {
  const sums = readFileSync(new URL('SHA256SUMS', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  for (const line of sums) {
    const [sum, name] = line.split(/\s+/) as [string, string]
    const bytes = readFileSync(new URL(name, import.meta.url))
    expect({ name, sum: createHash('sha256').update(bytes).digest('hex') }).toEqual({ name, sum })
  }
})
