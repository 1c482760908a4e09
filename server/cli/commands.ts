import { isServingProgram } from '../platform/process/command-name.ts'
import { release } from '../platform/process/release.ts'
import { APPS } from './accounts/apps.ts'
import { CODES } from './accounts/codes.ts'
import { KEYS } from './accounts/keys.ts'
import { USERS } from './accounts/users.ts'
import { asCalled } from './as-called.ts'
import { BASEMAPS } from './content/basemap.ts'
import { CONVERTING } from './content/convert.ts'
import { EXPORTING } from './content/exports.ts'
import { GRIDS } from './content/grids.ts'
import { IMPORTING } from './content/imports.ts'
import { PHOTOS } from './content/photos.ts'
import { TAGS } from './content/tags.ts'
import { UsageError } from './context.ts'
import { DOCTOR } from './doctor.ts'
import { helpFor, helpOf, nearest } from './help.ts'
import { SERVING } from './serve.ts'
import { BACKUPS } from './storage/backup.ts'
import { FILES } from './storage/files.ts'
import { MIGRATING } from './storage/migrate.ts'
import { RANKS } from './storage/ranks.ts'

export const GROUPS = [
  SERVING,
  MIGRATING,
  USERS,
  APPS,
  KEYS,
  CODES,
  FILES,
  CONVERTING,
  IMPORTING,
  GRIDS,
  BASEMAPS,
  EXPORTING,
  PHOTOS,
  TAGS,
  RANKS,
  BACKUPS,
  DOCTOR,
]
const COMMANDS = GROUPS.flatMap(({ commands }) => commands)

/** Finds the command of the first words: the longest name wins. */
function called(args: string[]) {
  const names = [3, 2, 1].map((count) => args.slice(0, count).join(' '))
  return names.map((name) => COMMANDS.find(({ words }) => words === name)).find((command) => command !== undefined)
}

const wordsOf = (args: string[]) => args.filter((word) => !word.startsWith('-'))

function unknown(args: string[]): UsageError {
  const words = wordsOf(args)
  if (words.length === 0) return new UsageError(`Name a command before ${args[0]}. For a list, run cairn help`)
  const near = nearest(GROUPS, words)
  const hint = near ? ` The nearest is "${near.words}": ${near.summary}.` : ''
  return new UsageError(`There is no command "${words.slice(0, 2).join(' ')}".${hint} For a list, run cairn help`)
}

/** Options before the words are refused. */
function misplaced(args: string[]): UsageError | undefined {
  const command = called(wordsOf(args))
  return args[0]?.startsWith('-') && command
    ? new UsageError(`Put options after the command: cairn ${command.words} ${args[0]}`)
    : undefined
}

/** `start` is another word for `serve`. */
const served = ([word, ...rest]: string[]) =>
  word === 'start' ? ['serve', ...rest] : word === undefined ? [] : [word, ...rest]

/** Runs a command line. @throws UsageError if it is not valid */
export async function run(typed: string[]): Promise<void> {
  const args = typed.length === 0 && isServingProgram() ? ['serve'] : served(typed)
  const asksForHelp = args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h')
  const command = called(args)
  if (args[0] === '--version') return console.log(await release())
  if (asksForHelp) {
    const words = wordsOf(args[0] === 'help' ? args.slice(1) : args)
    const help = command && args[0] !== 'help' ? helpOf(command) : helpFor(GROUPS, words)
    if (!help) throw unknown(words)
    return console.log(asCalled(help))
  }
  // The first word of several commands lists them.
  if (!command) {
    const help = args.length === 1 ? helpFor(GROUPS, args) : undefined
    throw help ? new UsageError(`Say which:\n${help}`) : (misplaced(args) ?? unknown(args))
  }
  try {
    await command.run(args.slice(command.words.split(' ').length))
  } catch (error) {
    if (error instanceof UsageError) error.message += `\n\n${helpOf(command)}`
    throw error
  }
}
