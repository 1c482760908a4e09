import { readFileSync } from 'node:fs'
import type { Worst } from './worst.ts'

/** The limit for the main thread's CPU time per request. */
const MAX_MS = 50

const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
const rounded = (figure: number) => (figure < 10 ? figure.toFixed(1) : Math.round(figure).toString())
const isTooMuch = ({ firstMs, worstMs, longestMs }: Worst) => Math.max(firstMs, worstMs, longestMs) > MAX_MS

/** The operations of the OpenAPI document that were not measured, such as streams, which do not end. */
function missingIn(found: Worst[]): string[] {
  const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, object>
  }
  const measured = new Set(found.map(({ operation }) => operation))
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((verb) => `${verb.toUpperCase()} ${path}`),
  )
  return all.filter((name) => !measured.has(name))
}

/**
 * Formats the worst cost of every operation, most expensive first.
 * @param load of the machine during the measurement
 */
export function worstTable(found: Worst[], load: number): string {
  const rows = found.map(({ operation, what, status, kilobytes, ...figures }) =>
    line([
      operation,
      what,
      status,
      kilobytes,
      ...[figures.firstMs, figures.worstMs, figures.longestMs, figures.postgresMs, figures.megabytes].map(rounded),
    ]),
  )
  const most = found
    .filter(isTooMuch)
    .map(
      ({ operation, what, firstMs, worstMs, longestMs }) =>
        `\n- ${operation}${what && `, ${what}`}: ${rounded(firstMs)}, then ${rounded(worstMs)} ms, ${rounded(longestMs)} ms in one piece`,
    )
  const missing = missingIn(found)
  return `# What a request costs at worst

Every operation with the largest body that is read or the largest page of 20,000 rows, and what costs most with data made for
it. CPU of the main thread (milliseconds) the first time and in the worse of two that follow; the most of it in one
turn of the event loop in another request; CPU of PostgreSQL; memory of the process behind it (MB, RSS). The machine's load was ${load}. Written by
\`npm run bench -- worst\`.

${line(['operation', 'with', 'status', 'KB sent', 'first', 'then', 'one turn', 'PostgreSQL', 'MB'])}
${line(['---', '---', '--:', '--:', '--:', '--:', '--:', '--:', '--:'])}
${rows.join('\n')}

Above ${MAX_MS} ms of the main thread, or in one piece: ${most.length === 0 ? 'none.' : `${most.length}.`}
${most.join('')}

Not measured: ${missing.length === 0 ? 'none.' : `${missing.length}.`}
${missing.map((name) => `\n- ${name}`).join('')}
`
}
