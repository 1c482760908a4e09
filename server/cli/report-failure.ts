import { dirname } from 'node:path'
import { asCalled } from './command-name.ts'
import { UsageError } from './context.ts'

/** Says why a command ended before its time, and sets the exit code. */
export function reportFailure(error: Error): void {
  console.error(asCalled(sentenceOf(error)))
  process.exitCode = error instanceof UsageError ? 2 : 1
}

const PARTIAL = '.partial'

/** Files are written under another name until they are whole, which means nothing to who named them. */
function sentenceOf({ code, path, message }: NodeJS.ErrnoException): string {
  if (!path?.endsWith(PARTIAL)) return message
  const file = path.slice(0, -PARTIAL.length)
  const why = code === 'ENOENT' ? `there is no folder ${dirname(file)}` : message.replaceAll(path, file)
  return `"${file}" cannot be written: ${why}`
}
