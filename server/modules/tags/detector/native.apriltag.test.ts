import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { drawScene, type Scene, type ScenePart } from '../../../test/content/tags/tag-scene.ts'
import { detectTags, type GrayImage, type Pixel } from './detector.ts'

type NativeTag = { id: number; hamming: number; margin: number; corners: Pixel[] }

const SCRIPT = fileURLToPath(new URL('../../../test/programs/native-april-tags.py', import.meta.url))

function nativeTags({ width, height, pixels }: GrayImage): NativeTag[] {
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', [SCRIPT, String(width), String(height)], {
    input: pixels,
  })
  if (status !== 0) throw new Error(String(stderr))
  return JSON.parse(String(stdout))
}

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id

const many = Array.from(
  { length: 48 },
  (_, at): ScenePart => ({
    id: at,
    at: [90 + (at % 8) * 150, 80 + Math.floor(at / 8) * 150],
    side: 16 + 2 * at,
    turn: at * 37,
    tilt: (at * 11) % 62,
    tiltTowards: at * 71,
  }),
)
/** A leaf over some cell of every second tag. */
const leaves = many
  .filter((_, at) => at % 2 === 1)
  .map(({ at: [x, y], side }, at) => ({
    at: [x + side * 0.3 * Math.cos(at), y + side * 0.3 * Math.sin(at)] as Pixel,
    radius: side / 14,
  }))

test.each<Omit<Scene, 'width' | 'height' | 'tags'>>([
  { blur: 0.5, noise: 2 },
  { blur: 1, noise: 5 },
  { blur: 1.8, noise: 8 },
  { shadow: { x: 300, lean: 0.4, light: 0.4 } },
  { leaves },
  { shadow: { x: 500, lean: -0.3, light: 0.5 }, leaves, blur: 1 },
])("Debian's libapriltag finds the same tags, with corners within 0.3 pixels: %o", (scene) => {
  const { image } = drawScene({ width: 1280, height: 960, tags: many, ...scene })
  const native = nativeTags(image).sort(byId)
  const found = detectTags(image).sort(byId)
  expect(native.length).toBeGreaterThan(35)
  expect(found.map(({ id, hamming }) => ({ id, hamming }))).toEqual(native.map(({ id, hamming }) => ({ id, hamming })))
  for (const [at, { corners }] of found.entries())
    for (const [i, [x, y]] of corners.entries()) {
      const [nativeX, nativeY] = native[at]!.corners[i]!
      expect(Math.hypot(x + 0.5 - nativeX, y + 0.5 - nativeY)).toBeLessThan(0.3)
    }
})
