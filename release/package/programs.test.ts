import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './folders.ts'
import { PROGRAMS } from './programs.ts'

test('the package has a bundle of every program that the service starts', () => {
  const sources = globSync('server/**/*.ts', { cwd: ROOT, exclude: ['**/node_modules/**', '**/*.test.ts'] })
  const started = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/programFile\('([^']+)'\)/g)].map(([, path]) => path),
  )
  expect(['server/cli', ...new Set(started)].toSorted()).toEqual(PROGRAMS.toSorted())
})
