import { type Growth, isTooMuch } from './growth.ts'
import { whatWasAgain } from './replace-results.ts'

/** Formats operations by size: touched pages and their growth; then CPU, WAL and the most expensive statements at the largest size. @param load of the machine during the measurement */
export function growthTable({ rows, operations, chores, bytes, load }: Growth & { load: number }): string {
  const sizes = rows.map((size) => size.toLocaleString('en'))
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  const grown = operations.map(({ name, growth, byContract, costs }) =>
    line([name, ...costs.map(({ pages }) => rounded(pages)), byContract ? `${growth} (${byContract})` : growth]),
  )
  const cost = operations.map(({ name, costs }) => {
    const { serviceMicroseconds, postgresMicroseconds, walBytes } = costs.at(-1)!
    return line([name, serviceMicroseconds, postgresMicroseconds, walBytes])
  })
  const size = Object.entries(bytes).map(([table, { row, indexes }]) => line([table, row, indexes, row + indexes]))
  const bad = operations.filter(({ growth }) => isTooMuch(growth))
  return `# Growth

Pages of 8 kB that the statements of one request touch, from memory or disk, in tables of so many rows each, as PostgreSQL
counts them (pg_stat_statements) in what the service sends. Counts do not depend on what else the machine does. What a list
must count or go through is named in brackets. Written by \`npm run bench -- growth\`.

${line(['operation', ...sizes, 'growth'])}
${line(['---', ...sizes.map(() => '--:'), '---'])}
${grown.join('\n')}

${whatWasAgain(operations)}
What the service asks by itself, pages a time:

${line(['statement', ...sizes])}
${line(['---', ...sizes.map(() => '--:')])}
${chores.map(({ query, pages }) => line([`\`${query.replaceAll('|', '\\|')}\``, ...pages.map(rounded)])).join('\n')}

At ${sizes.at(-1)} rows, four clients at once; bytes of WAL without whole pages. CPU times are for comparing operations alone: the machine's
load was ${load} at the end, of ours and of whatever else it did:

| operation | CPU µs, service | CPU µs, PostgreSQL | WAL bytes |
|---|--:|--:|--:|
${cost.join('\n')}

Bytes on disk a row:

| table | row | its indexes | together |
|---|--:|--:|--:|
${size.join('\n')}
${
  bad.length > 0
    ? `\nStatements of what grows faster than a logarithm:\n\n${bad
        .map(
          ({ name, costs }) =>
            `- ${name}: ${costs
              .at(-1)!
              .statements.map(({ pages, query }) => `${rounded(pages)} pages: \`${query}\``)
              .join('; ')}`,
        )
        .join('\n')}\n`
    : ''
}`
}

const rounded = (pages: number) => (pages < 10 ? pages.toFixed(1) : Math.round(pages).toLocaleString('en'))
