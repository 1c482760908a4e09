import { type Command, JSON_OUTPUT, printResult } from '../command.ts'
import { OPERATOR, readOptions, withApp } from '../context.ts'
import { existingUser, USER_ARGUMENT, userArgument } from './user-argument.ts'

/** Disables or enables an account, also that of an admin. */
const switchTo = (isDisabled: boolean) => async (args: string[]) => {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  const name = userArgument(positionals)
  await withApp(async (app) => {
    const { id } = await existingUser(app, name)
    const { login, state } = await app.operator.accounts.setDisabled(id, isDisabled, OPERATOR)
    printResult(values, { userId: id, login, state }, `${login} is ${isDisabled ? 'disabled' : 'enabled'}`)
  })
}

/** Prints a link that sets the password of an account, in place of the one before. */
async function userLink(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  const name = userArgument(positionals)
  await withApp(async (app) => {
    const { id } = await existingUser(app, name)
    const { url, expiresAt } = await app.operator.accounts.newLink(id, OPERATOR)
    printResult(values, { userId: id, url, expiresAt }, url)
  })
}

/** The commands that let people in to their accounts, or keep them out. */
export const ACCOUNT_ACCESS: Command[] = [
  {
    words: 'user link',
    usage: 'NAME [--json]',
    summary: 'print a link with which the owner of an account sets its password',
    about:
      'It works once: for seven days if the account has no password yet, otherwise for one. The link before ends. Anyone who\nhas it can take over the account.',
    options: [USER_ARGUMENT],
    examples: [['cairn user link ada', 'for a forgotten password']],
    run: userLink,
  },
  {
    words: 'user disable',
    usage: 'NAME [--json]',
    summary: 'disable an account; ends its sessions and refuses its personal tokens',
    about: 'Takes effect within a second. Apps of the user and their keys continue to work.',
    options: [USER_ARGUMENT],
    examples: [['cairn user disable ada', 'until `cairn user enable ada`']],
    run: switchTo(true),
  },
  {
    words: 'user enable',
    usage: 'NAME [--json]',
    summary: 'enable a disabled account',
    options: [USER_ARGUMENT],
    examples: [['cairn user enable ada', 'sign-ins and personal tokens work again']],
    run: switchTo(false),
  },
]
