import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formats } from './index.ts'

/** These have no row: the page is about tables, a ZIP file contains the others, and the rest is refused. */
const WITHOUT_ROW = ['csv', 'zip', 'unreadable']

const page = readFileSync(new URL('../../../../../docs/surveys.md', import.meta.url), 'utf8')
const named = page
  .split('\n')
  .flatMap((line) => /^\| ([^|`]+) \|/.exec(line)?.[1] ?? [])
  .map((cell) => cell.toLowerCase().replace(/[^a-z\d]/g, ''))

const names = formats.map(({ name }) => name).filter((name) => !WITHOUT_ROW.includes(name))

test.each(names)('the survey format %s has a row in a table of docs/surveys.md', (name) => {
  const isDescribed = named.some((cell) => cell.includes(name))
  expect(isDescribed, `add ${name} to a table of formats in docs/surveys.md`).toBe(true)
})
