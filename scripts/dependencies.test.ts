import { describe, expect, test } from 'vitest'
import { faultsHere, faultsOf } from './dependencies.ts'

const integrity = `sha512-${'a'.repeat(86)}==`
const sound = { version: '1.2.3', integrity, license: 'MIT' }
const faultsIn = (change: object, name = 'left-pad') =>
  faultsOf({}, { [`node_modules/${name}`]: { ...sound, ...change } })

describe('what may be installed', () => {
  test('is what the lock file of this project names', () => {
    expect(faultsHere()).toEqual([])
  })

  test('is a version from a registry, pinned by the hash of its bytes, under an allowed licence', () => {
    expect(faultsIn({})).toEqual([])
    expect(faultsIn({ license: '(GPL-3.0 OR MIT)' })).toEqual([])
    expect(faultsIn({ license: 'LGPL-3.0-or-later' }, '@img/sharp-libvips-linux-x64')).toEqual([])
  })

  test.each([
    ['without a hash', { integrity: undefined }],
    ['pinned by a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
    ['from a repository', { resolved: 'git+ssh://git@github.com/left/pad.git#abc' }],
    ['from anywhere else', { resolved: 'https://files.example/left-pad-1.2.3.tgz' }],
    ['in clear text', { resolved: 'http://registry.npmjs.org/left-pad/-/left-pad-1.2.3.tgz' }],
    ['that runs a script', { hasInstallScript: true }],
    ['without a licence', { license: undefined }],
    ['that asks for the source of what uses it', { license: 'AGPL-3.0-only' }],
    ['under two licences of which one does not fit', { license: 'MIT AND GPL-3.0-only' }],
    ['under a licence that is for others alone', { license: 'LGPL-3.0-or-later' }],
  ])('is no package %s', (_what, change) => {
    expect(faultsIn(change)).toHaveLength(1)
  })

  test('is named exactly, and allowed its script by name', () => {
    for (const version of ['^1.2.3', '*', 'latest', '1.x', 'github:left/pad', 'file:../pad'])
      expect(faultsOf({ server: { dependencies: { 'left-pad': version } } }, {})).toHaveLength(1)
    expect(faultsOf({ root: { allowScripts: { 'left-pad': true } } }, {})).toHaveLength(1)
  })
})
