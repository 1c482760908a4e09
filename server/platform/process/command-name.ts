import { basename, extname } from 'node:path'
import { isPackage } from './project-files.ts'

/** The npm package, and its program. */
const SERVING_PROGRAM = 'cairn-server'

export type Call = { environment?: NodeJS.ProcessEnv; program?: string; inPackage?: boolean }

/** The program as it was called: `cairn`, `cairn-server`; in the source tree that of its file. */
const programOf = (path: string) => (extname(path) === '.cjs' ? 'cairn' : basename(path))

/** A word for a shell, in quotes if it needs them. */
const shellWord = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)

/**
 * What precedes a command where the user calls one: `cairn`, `./cairn`, `npx cairn-server`, `npm run cairn --`. The
 * launcher of the archive sets `CALLED_AS`.
 */
export function commandName({
  environment: { npm_command: npm, npm_lifecycle_event: script, CALLED_AS: launcher } = process.env,
  program = process.argv[1] ?? '',
  inPackage = isPackage,
}: Call = {}): string {
  const name = programOf(program)
  if (!inPackage) return name === 'cli.ts' && script !== 'cairn' ? 'cairn' : 'npm run cairn --'
  if (launcher) return shellWord(launcher)
  if (npm !== 'exec') return name
  return name === SERVING_PROGRAM ? `npx ${name}` : `npx -p ${SERVING_PROGRAM} ${name}`
}

/** Whether this program serves without a command: `cairn-server`, and the launcher of the archive. */
export const isServingProgram = (): boolean =>
  process.env.CALLED_AS !== undefined || programOf(process.argv[1] ?? '') === SERVING_PROGRAM
