// @module-tag long
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createBallast } from '../../server/platform/database/embedded/ballast.ts'
import { type SmallDisk, smallDisk } from './disk.ts'

const MB = 2 ** 20
const isRoot = process.getuid?.() === 0

let disk: SmallDisk | undefined
afterEach(async () => {
  await disk?.remove()
  disk = undefined
})

/** A disk of that many MB, with its ballast. */
async function onDisk(size: number, reserve: number) {
  disk = await smallDisk(size * MB)
  const { folder, fill, relieve } = disk
  const own = await disk.newFolder()
  return { ballast: createBallast(own, reserve), file: join(own, 'ballast'), folder, fill, relieve }
}

test.runIf(isRoot)(
  'a disk with free space gets a ballast, which is deleted when it is full and recreated afterwards',
  async () => {
    const { ballast, file, fill, relieve } = await onDisk(400, 64 * MB)
    await ballast.makeWhenAmple()
    expect(existsSync(file)).toBe(true)
    expect(await ballast.releaseWhenLow()).toBe(false)
    await fill()
    expect(await ballast.releaseWhenLow()).toBe(true)
    expect(existsSync(file)).toBe(false)
    await ballast.makeWhenAmple()
    expect(existsSync(file)).toBe(false)
    await relieve()
    await ballast.makeWhenAmple()
    expect(existsSync(file)).toBe(true)
  },
)

test.runIf(isRoot)('a disk too small for ballast and reserve, or without a reserve, gets none', async () => {
  const small = await onDisk(300, 64 * MB)
  await small.ballast.makeWhenAmple()
  expect(existsSync(small.file)).toBe(false)
  const without = createBallast(small.folder, 0)
  await without.makeWhenAmple()
  expect(existsSync(join(small.folder, 'ballast'))).toBe(false)
})
