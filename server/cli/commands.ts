import { release } from '../platform/process/release.ts'
import { APPS } from './accounts/apps.ts'
import { CODES } from './accounts/codes.ts'
import { KEYS } from './accounts/keys.ts'
import { USERS } from './accounts/users.ts'
import { CONVERTING } from './content/convert.ts'
import { EXPORTING } from './content/exports.ts'
import { GRIDS } from './content/grids.ts'
import { IMPORTING } from './content/imports.ts'
import { UsageError } from './context.ts'
import { DOCTOR } from './doctor.ts'
import { helpFor, helpOf, nearest } from './help.ts'
import { SERVING } from './serve.ts'
import { BACKUPS } from './storage/backup.ts'
import { FILES } from './storage/files.ts'
import { MIGRATING } from './storage/migrate.ts'
import { RANKS } from './storage/ranks.ts'

const GROUPS = [
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
  EXPORTING,
  RANKS,
  BACKUPS,
  DOCTOR,
]
const COMMANDS = GROUPS.flatMap(({ commands }) => commands)

/** The command that the first words call: the longest name wins. */
function called(args: string[]) {
  const names = [3, 2, 1].map((count) => args.slice(0, count).join(' '))
  return names.map((name) => COMMANDS.find(({ words }) => words === name)).find((command) => command !== undefined)
}

const wordsOf = (args: string[]) => args.filter((word) => !word.startsWith('-'))

function unknown(args: string[]): UsageError {
  const words = wordsOf(args)
  if (words.length === 0) return new UsageError(`Say which command, before ${args[0]}. All of them: cairn help`)
  const near = nearest(GROUPS, words)
  const hint = near ? ` The nearest is "${near.words}": ${near.summary}.` : ''
  return new UsageError(`There is no command "${words.slice(0, 2).join(' ')}".${hint} All of them: cairn help`)
}

/** Options before the words: they belong behind. */
function misplaced(args: string[]): UsageError | undefined {
  const command = called(wordsOf(args))
  return args[0]?.startsWith('-') && command
    ? new UsageError(`Options come behind the command: cairn ${command.words} ${args[0]}`)
    : undefined
}

/** Does what the words of a command line say. @throws UsageError where they say nothing that there is */
export async function run(args: string[]): Promise<void> {
  const asksForHelp = args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h')
  const command = called(args)
  if (args[0] === '--version') return console.log(await release())
  if (asksForHelp) {
    const words = wordsOf(args[0] === 'help' ? args.slice(1) : args)
    const help = command && args[0] !== 'help' ? helpOf(command) : helpFor(GROUPS, words)
    if (!help) throw unknown(words)
    return console.log(help)
  }
  // The first word alone, of several commands: they are listed.
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
