import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const docs = join(import.meta.dirname, '../../../../docs')
const page = readFileSync(join(docs, 'ogc-conformance.md'), 'utf8')
/** A row: an abstract test, the title of ours, and its file. */
const ROW = /^\| `([^`]+)` \| (.+) \| \[[^\]]+\]\(([^)]+)\) \|$/
/** The text that a call begins with, as `test`, `test.each(…)` and `describe` do. */
const TITLE = /\(\s*(['"`])((?:\\.|(?!\1).)+)\1,/g

/** The sections of the page: a class, and its rows. */
const classes = page
  .split(/^### /m)
  .slice(1)
  .map((section) => {
    const lines = section.split('\n')
    const rows = lines.flatMap((line) => {
      const [, name, title, file] = ROW.exec(line) ?? []
      return name ? [{ name, title: title!, file: file! }] : []
    })
    return { uri: lines[0]!.replaceAll('`', ''), rows, isTable: lines.filter((line) => line.startsWith('|')).length }
  })

const titlesIn = (file: string): string[] => {
  const all = [...readFileSync(join(docs, file), 'utf8').matchAll(TITLE)].map(([, , title]) =>
    title!.replaceAll("\\'", "'"),
  )
  return [...all, ...all.flatMap((group) => all.map((title) => `${group} ${title}`))]
}

describe('the page of conformance', () => {
  test('has every class that the service claims, and no other', async () => {
    const { conformsTo } = (await service.anonymous.get('/ogc/conformance')).body
    expect(classes.map(({ uri }) => uri).toSorted()).toEqual(conformsTo.toSorted())
    expect(new Set(conformsTo).size).toBe(conformsTo.length)
  })

  test('names for every abstract test a test that exists, by its title and file', () => {
    for (const { uri, rows, isTable } of classes) {
      // Two lines are the head of the table.
      expect([uri, rows.length]).toEqual([uri, isTable - 2])
      for (const { name, title, file } of rows) {
        expect(name).toMatch(/^\/(conf|req)\/[\w-]+\/[\w/-]+$/)
        expect([name, title, titlesIn(file).includes(title)]).toEqual([name, title, true])
      }
    }
  })
})
