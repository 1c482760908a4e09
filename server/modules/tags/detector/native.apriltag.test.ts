import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { drawScene, type ScenePart } from '../../../test/content/tag-scene.ts'
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

test.each([
  { blur: 0.5, noise: 2 },
  { blur: 1, noise: 5 },
  { blur: 1.8, noise: 8 },
])("Debian's libapriltag finds the same tags, with corners within 0.3 pixels: $blur, $noise", ({ blur, noise }) => {
  const tags = Array.from(
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
  const { image } = drawScene({ width: 1280, height: 960, tags, blur, noise })
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
