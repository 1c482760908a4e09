import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const isRoot = process.getuid?.() === 0
const NOBODY = 65_534

/** Drops root in a process whose library is in a folder of this mode. */
function dropRootWithLibraryIn(mode: number) {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-drop-root-'))
  try {
    const library = join(folder, 'library')
    writeFileSync(library, '')
    chmodSync(folder, mode)
    const script = `
      import { dropRoot } from ${JSON.stringify(new URL('./drop-root.ts', import.meta.url).href)}
      let loadedBy = 'nobody'
      await dropRoot({ load: async () => { loadedBy = process.geteuid() }, paths: () => [${JSON.stringify(library)}] })
      const { geteuid, getgid, getgroups, getuid } = process
      console.log(JSON.stringify({ loadedBy, ids: [getuid(), geteuid(), getgid(), ...getgroups()] }))`
    const env = { ...process.env, CAIRN_APART_ACCOUNT: `${NOBODY}:${NOBODY}` }
    return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const dropped = [NOBODY, NOBODY, NOBODY, NOBODY]

test.skipIf(!isRoot)('loads a library as root if its account cannot read it, and then drops root', () => {
  expect(dropRootWithLibraryIn(0o700)).toEqual({ loadedBy: 0, ids: dropped })
})

test.skipIf(!isRoot)('leaves a library that its account can read for later, and drops root', () => {
  expect(dropRootWithLibraryIn(0o755)).toEqual({ loadedBy: 'nobody', ids: dropped })
})
