import { readFile, writeFile } from 'node:fs/promises'
import { judgeEveryCode } from './run.ts'
import { withTables } from './table.ts'

/** `node_modules/.bin/node server/test/every-code/write-docs.ts`: compares every code and writes the tables of docs/reference-systems.md. */
const page = new URL('../../../docs/reference-systems.md', import.meta.url)
await writeFile(page, withTables(await readFile(page, 'utf8'), await judgeEveryCode()))
