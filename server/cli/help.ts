import { distance } from 'fastest-levenshtein'
import type { Command, Group } from './command.ts'

const EXITS: [number, string][] = [
  [0, 'done'],
  [1, 'failed: standard error has the error message'],
  [2, 'invalid command line'],
]

/** Lists all commands, a line each. */
function overview(groups: Group[]): string {
  const all = groups.flatMap(({ commands }) => commands)
  const width = Math.max(...all.map(({ words }) => words.length)) + 2
  const lines = groups.flatMap(({ title, commands }) => [
    '',
    `${title}:`,
    ...commands.map(({ words, summary }) => `  ${words.padEnd(width)}${summary}`),
  ])
  return [
    'cairn: the service and its operator’s commands. They read the same CAIRN_* settings, from the environment and .env,',
    'and run beside a running service unless their help says otherwise.',
    ...lines,
    '',
    'cairn help COMMAND has details and examples: cairn help user add. With --json the result is one JSON object on',
    'standard output. Long commands show progress on standard error: on a terminal, elsewhere with --progress.',
    'cairn --version prints the release.',
    '',
    'Exit codes:',
    ...exitLines(EXITS),
  ].join('\n')
}

/** The full help of one command. */
export function helpOf({ words, usage, summary, about, options = [], examples, exits = [] }: Command): string {
  const width = Math.max(0, ...options.map(([name]) => name.length)) + 2
  const parts = [`cairn ${words}${usage ? ` ${usage}` : ''}`, '', `${summary}.`]
  if (about) parts.push('', about)
  if (options.length > 0) parts.push('', ...options.map(([name, text]) => `  ${name.padEnd(width)}${text}`))
  parts.push('', 'Examples:')
  for (const [line, text] of examples) parts.push(`  ${line}`, `      ${text}`)
  const own = new Map(EXITS)
  for (const [code, text] of exits) own.set(code, own.has(code) ? `${own.get(code)}; ${text}` : text)
  parts.push('', 'Exit codes:', ...exitLines([...own].toSorted(([a], [b]) => a - b)))
  return parts.join('\n')
}

/** The help for these words: of a command, of all that begin with them, or the overview. @returns undefined for unknown words */
export function helpFor(groups: Group[], words: string[]): string | undefined {
  const all = groups.flatMap(({ commands }) => commands)
  const asked = words.join(' ')
  if (!asked) return overview(groups)
  const one = all.find(({ words, alias }) => words === asked || alias === asked)
  if (one) return helpOf(one)
  const some = all.filter((command) => command.words.startsWith(`${asked} `))
  if (some.length === 0) return undefined
  const width = Math.max(...some.map((command) => command.words.length)) + 2
  return some.map((command) => `cairn ${command.words.padEnd(width)}${command.summary}`).join('\n')
}

/** Suggests a command for mistyped words. @returns undefined if none is similar */
export function nearest(groups: Group[], words: string[]): Command | undefined {
  const all = groups.flatMap(({ commands }) => commands)
  const away = ({ words: known, alias = known }: Command) =>
    Math.min(
      ...[1, 2].flatMap((count) => [known, alias].map((name) => distance(name, words.slice(0, count).join(' ')))),
    )
  const best = all.reduce((best, command) => (away(command) < away(best) ? command : best))
  // Too many wrong letters are not a typing error.
  return away(best) * 2 < best.words.length ? best : undefined
}

const exitLines = (exits: [number, string][]) => exits.map(([code, text]) => `  ${code}  ${text}`)
