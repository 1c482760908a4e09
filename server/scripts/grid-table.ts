import { readFile, writeFile } from 'node:fs/promises'
import { withGridTable } from './grid-table/table.ts'

/** Writes the table of docs/gis.md of systems that need a grid file: `node server/scripts/grid-table.ts`. */
const page = new URL('../../docs/gis.md', import.meta.url)
await writeFile(page, withGridTable(await readFile(page, 'utf8')))
