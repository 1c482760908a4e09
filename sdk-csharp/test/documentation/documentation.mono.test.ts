import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { snippets } from '../../../web/src/pages/welcome/steps/snippets.ts'
import { compileForMono } from '../mono-program.ts'
import { compilationUnit, csharpBlocks } from './csharp-blocks.ts'

const presumed = fileURLToPath(new URL('Presumed.cs', import.meta.url))

let program: ReturnType<typeof compileForMono>
beforeAll(() => {
  program = compileForMono()
})
afterAll(() => program?.remove())

function compile(code: string) {
  const file = join(program.folder, 'Documented.cs')
  writeFileSync(file, compilationUnit(code))
  return program.compile([presumed, file])
}

test('the documentation of the client has programs', () => {
  expect(csharpBlocks().length).toBeGreaterThan(8)
})

test.each(csharpBlocks())('%s compiles', (_where, code) => {
  expect(compile(code)).toBe('')
})

test('the first call that the console shows for Unity compiles', () => {
  expect(compile(snippets.unity('https://cairn.example', 'cairn_key'))).toBe('')
})

test('a program that does not fit the client does not compile', () => {
  expect(compile('await cairn.Players.CreatePlayersAsync();')).toMatch(/CreatePlayersAsync/)
})
