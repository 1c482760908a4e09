import { userInfo } from 'node:os'
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
  return `"${file}" cannot be written: ${whyNot(dirname(file), code) ?? message.replaceAll(path, file)}`
}

function whyNot(folder: string, code: string | undefined): string | undefined {
  if (code === 'ENOENT') return `there is no folder ${folder}`
  return code === 'EACCES' ? `${account()} may not write to ${folder}` : undefined
}

/** As whom this runs: root's commands run as the account of the service. A container's account may have no name. */
function account(): string {
  try {
    return `the account "${userInfo().username}"`
  } catch {
    return 'this account'
  }
}
