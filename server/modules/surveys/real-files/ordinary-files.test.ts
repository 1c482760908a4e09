import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

const imported = (text: string, query = '') => opened.imports.imported(text, { query })
const GRID = '?crs=EPSG:25833'

test.each([
  ['Z Code', 'ID  X  Y  Z Code\nP1  391776.155  5820072.962  34.5 BM\nP2  391786.155  5820082.962  35.5 BM\n'],
  ['Code Z', 'ID  X  Y  Code Z\nP1  391776.155  5820072.962  BM 34.5\nP2  391786.155  5820082.962  BM 35.5\n'],
  ['H HRMS', 'ID  E  N  H HRMS\nP1  391776.155  5820072.962  34.5 0.01\nP2  391786.155  5820082.962  35.5 0.02\n'],
])('%s: single spaces between aligned columns part them', async (_, text) => {
  const { gcps } = await imported(text, GRID)
  expect(gcps.map(({ altitude }: { altitude: number }) => altitude).toSorted()).toEqual([34.5, 35.5])
})

test('rows of aligned columns whose last text has spaces may be of any alignment', async () => {
  const rows = Array.from({ length: 50 }, (_, i) => `P${i}  391776.155  5820072.962  34.5  nail in wall`)
  const last = 'P123456789 391776.155  5820072.962  34.5  nail  in wall'
  const { report } = await imported(`Name  E  N  H  Description\n${[...rows, last].join('\n')}\n`, GRID)
  expect(report.summary).toMatchObject({ created: 51, failed: 0 })
})

test('the last text of a table with two spaces between columns may have two spaces', async () => {
  const { gcps } = await imported(
    `Name  E  N  Note\n${'\n'.repeat(2)}North gate  391776.155  5820072.962  nail\n${Array.from({ length: 50 }, (_, i) => `P ${i}  391776.155  5820072.962  nail`).join('\n')}\nEnd  391776.155  5820072.962  nail  in wall\n`,
    GRID,
  )
  expect(gcps.find(({ title }: { title: string }) => title === 'End')?.description).toBe('nail in wall')
})

