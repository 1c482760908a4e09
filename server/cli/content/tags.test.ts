import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../test/run-command.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-tags-'))
})
afterAll(() => rm(folder, { recursive: true }))

const sheet = (...options: string[]) => runCommand(['tags', 'sheet', ...options, '--out', join(folder, 'tags.pdf')], {})

test('tags sheet writes a PDF, and replaces a file only with --force', { tags: ['long'] }, async () => {
  const made = await sheet('--ids', '0-5', '--size', '16cm', '--json')
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(made.out)).toMatchObject({ tags: 6, size: 160 })
  expect(String(await readFile(join(folder, 'tags.pdf')))).toContain('(tag36h11   ID 5   160 mm')
  expect(await sheet('--ids', '0', '--size', '50mm')).toMatchObject({
    code: 1,
    err: expect.stringContaining('--force'),
  })
  expect(await sheet('--ids', '0', '--size', '50mm', '--force')).toMatchObject({ code: 0 })
  expect(await sheet('--ids', '0', '--size', '50in')).toMatchObject({ code: 2, err: expect.stringContaining('160mm') })
  expect(await sheet('--ids', '60', '--size', '50')).toMatchObject({ code: 2, err: expect.stringContaining('--ids') })
  expect(await sheet('--ids', '0', '--size', '200')).toMatchObject({ code: 1, err: expect.stringContaining('161 mm') })
})
