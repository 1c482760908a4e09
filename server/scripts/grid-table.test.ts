import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { withGridTable } from './grid-table/table.ts'

test('docs/gis.md lists the systems that need a grid file: run node server/scripts/grid-table.ts after a change', async () => {
  const page = await readFile(new URL('../../docs/gis.md', import.meta.url), 'utf8')
  expect(withGridTable(page)).toBe(page)
  expect(page).toMatch(/\| Great Britain \| OSGB36 – .*uk_os_OSTN15/)
})
