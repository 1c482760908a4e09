import { type App, UsageError } from '../context.ts'

/** The option NAME in help. */
export const USER_ARGUMENT: [string, string] = ['NAME', 'a login, a local user’s name, or a user’s id']

/** The only argument. @throws UsageError */
export function userArgument(words: string[]): string {
  assertAtMost(words, 1)
  if (!words[0]) throw new UsageError('Name the user: NAME')
  return words[0]
}

/** @throws UsageError */
export function assertAtMost(words: string[], allowed: number) {
  if (words.length > allowed) throw new UsageError('There are too many arguments; a password is never one')
}

/** @throws an error if there is no such user */
export async function existingUser(app: App, name: string) {
  const found = await app.operator.findUser(name)
  if (!found) throw new Error(`There is no user "${name}": name a login, a local user, or a user's id`)
  return found
}
