import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDataFolder } from './data-folder.ts'

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'cairn-data-folder-'))
})
afterEach(() => rm(parent, { recursive: true }))

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('the data folder is created for its owner alone, its parents are not', () => {
  openDataFolder(join(parent, 'srv', 'data'), '1.0.0')
  expect(modeOf(join(parent, 'srv', 'data'))).toBe('700')
  expect(modeOf(join(parent, 'srv'))).toBe('755')
})

test.each([0o755, 0o777, 0o750, 0o704])('a data folder of mode %o is closed to other accounts', (mode) => {
  const folder = join(parent, 'data')
  mkdirSync(folder)
  chmodSync(folder, mode)
  openDataFolder(folder, '1.0.0')
  // Of root, its group may pass through: see the tests of a service that stays root.
  expect(modeOf(folder)).toBe(process.getuid?.() === 0 && mode & 0o010 ? '710' : '700')
})
