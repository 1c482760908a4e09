import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../../test/run-command.ts'
import { ensureDir } from './ensure-dir.ts'

test('creates a folder with its parents, and leaves an existing one unchanged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-folder-'))
  try {
    ensureDir(join(folder, 'one', 'two'))
    ensureDir(join(folder, 'one', 'two'))
    expect(existsSync(join(folder, 'one', 'two'))).toBe(true)
    await writeFile(join(folder, 'file'), '')
    expect(() => ensureDir(join(folder, 'file', 'one'))).toThrow('cannot be created in')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('commands print an error if no folder can be created', { tags: ['long'], timeout: 120_000 }, async () => {
  const settings = { CAIRN_DATA_DIR: '/proc/cairn/data', CAIRN_PORT: '0' }
  const said = 'The folder /proc/cairn cannot be created in /proc'
  const external = { CAIRN_SECRET: 'x'.repeat(40), CAIRN_DATABASE_URL: 'postgres://cairn@127.0.0.1:9/cairn' }
  const [doctor, serve, list] = await Promise.all([
    runCommand(['doctor'], settings),
    runCommand(['serve'], { ...settings, ...external }),
    runCommand(['app', 'list'], settings),
  ])
  expect(doctor).toMatchObject({ code: 1, out: expect.stringContaining(`FAIL data folder     ${said}`) })
  expect(serve).toMatchObject({ code: 1, err: expect.stringContaining(said) })
  expect(list).toMatchObject({ code: 1, err: expect.stringContaining(said) })
})
