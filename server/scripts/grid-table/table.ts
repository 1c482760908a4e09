import { openGridRegistry } from '../../modules/reference-systems/grids/grid-registry.ts'
import { usesInWords } from '../../modules/reference-systems/grids/list-grids.ts'
import { PUBLISHED_GRIDS } from '../../modules/reference-systems/grids/published-grids.ts'

const FROM = '<!-- written by server/scripts/grid-table.ts -->\n'
const TO = '<!-- end of what is written -->\n'

/** The well-known grids of plane and geographic systems, as a table in Markdown. */
function gridTable(): string {
  const register = openGridRegistry()
  try {
    const rows = PUBLISHED_GRIDS.filter(({ covers }) => !covers.includes('heights')).map(
      ({ file, publisher, covers }) =>
        `| ${covers} | ${usesInWords(register.usesOf(file))} | \`${file}\` | ${publisher} |`,
    )
    return ['| where | transformations | file | publisher |', '|---|---|---|---|', ...rows].join('\n')
  } finally {
    register.close()
  }
}

/** docs/gis.md with the table of today. @throws if it lacks the lines around it */
export function withGridTable(page: string): string {
  const [start, end] = [page.indexOf(FROM), page.lastIndexOf(TO)]
  if (start < 0 || end < start) throw new Error(`docs/gis.md lacks the lines "${FROM.trim()}" and "${TO.trim()}"`)
  return `${page.slice(0, start)}${FROM}\n${gridTable()}\n\n${page.slice(end)}`
}
