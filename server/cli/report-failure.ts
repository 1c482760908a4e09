import { dirname } from 'node:path'
import { asCalled } from './as-called.ts'
import { UsageError } from './context.ts'

/** Prints why a command failed, and sets the exit code. */
export function reportFailure(error: Error): void {
  console.error(asCalled(sentenceOf(error)))
  process.exitCode = error instanceof UsageError ? 2 : 1
}

const PARTIAL = '.partial'

/** Replaces the temporary name of a file by the name that the user gave. */
function sentenceOf({ code, path, message }: NodeJS.ErrnoException): string {
  if (!path?.endsWith(PARTIAL)) return message
  const file = path.slice(0, -PARTIAL.length)
  const why = code === 'ENOENT' ? `there is no folder ${dirname(file)}` : message.replaceAll(path, file)
  return `"${file}" cannot be written: ${why}`
}
