import { readFile, writeFile } from 'node:fs/promises'
import { judgeCodes } from './run.ts'
import { withTables } from './table.ts'

/** `npm run every-code`: compares every code with `cs2cs` and writes the tables of docs/reference-systems.md. Exits with 1 when a code differs or is refused without a reason. */
const page = new URL('../../../docs/reference-systems.md', import.meta.url)
const judged = await judgeCodes()
await writeFile(page, withTables(await readFile(page, 'utf8'), judged))
const wrong = [...judged.without, ...judged.gridded].filter(
  ({ outcome, lost }) => outcome === 'off' || lost !== undefined,
)
for (const { code, why } of wrong) console.error(`EPSG:${code}: ${why}`)
process.exitCode = wrong.length > 0 ? 1 : 0
