import { basename, extname } from 'node:path'
import { isPackage } from '../platform/process/project-files.ts'

/** The npm package, and its program that serves when it is called without a command. */
const SERVING_PROGRAM = 'cairn-server'

type Call = { environment?: NodeJS.ProcessEnv; program?: string; inPackage?: boolean }

/** The program as it was called: `cairn`, `cairn-server`; in the source tree that of its file. */
const programOf = (path: string) => (extname(path) === '.cjs' ? 'cairn' : basename(path))

/** What precedes a command where the user calls one: `cairn`, `npx cairn-server`, `npm run cairn --`. */
export function commandName({
  environment: { npm_command: npm, npm_lifecycle_event: script } = process.env,
  program = process.argv[1] ?? '',
  inPackage = isPackage,
}: Call = {}): string {
  const name = programOf(program)
  if (!inPackage) return name === 'cli.ts' && script !== 'cairn' ? 'cairn' : 'npm run cairn --'
  if (npm !== 'exec') return name
  return name === SERVING_PROGRAM ? `npx ${name}` : `npx -p ${SERVING_PROGRAM} ${name}`
}

/** Whether this process was called as `cairn-server`. */
export const isServingProgram = (): boolean => programOf(process.argv[1] ?? '') === SERVING_PROGRAM

/** First words of the commands. */
export const WORDS = [
  'app',
  'backup',
  'codes',
  'convert',
  'doctor',
  'export',
  'files',
  'grids',
  'help',
  'import-gcps',
  'keys',
  'migrate',
  'rebuild-ranks',
  'restore',
  'serve',
  'user',
  'worker',
]
/** `cairn` before a command, in help and messages. */
const COMMAND = new RegExp(`\\bcairn(?=:| (${[...WORDS, 'COMMAND', '--version'].join('|')})(?![\\w-]))`, 'g')

/** A text that names commands, with the name under which the user called this one. */
export const asCalled = (text: string, call: Call = {}): string => text.replace(COMMAND, commandName(call))
