import { isId } from '../../platform/ids.ts'
import type { Group } from '../command.ts'
import { assertNoArguments, readOptions, UsageError, withApp } from '../context.ts'

const JSON_OUTPUT = { json: { type: 'boolean' } } as const

/** Lists wrong six-digit codes of the last 24 hours by space, with the remaining budget and the addresses. */
async function codesSpaces(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  assertNoArguments(positionals)
  await withApp(async (app) => {
    const spaces = await app.operator.codes.list()
    if (values.json) return console.log(JSON.stringify({ spaces }))
    if (spaces.length === 0) console.log('No wrong codes in the last 24 hours')
    for (const { space, failures, budget, wait, addresses } of spaces) {
      console.log(`${space}  ${failures} of ${budget} failures${wait === null ? '' : `, locked for ${wait} s`}`)
      for (const one of addresses) console.log(`    ${one.address}  ${one.failures}`)
    }
  })
}

/** Unlocks a code space. */
async function codesUnlock(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  const [space, ...more] = positionals
  if (!space || more.length > 0 || (space !== 'keyless' && !isId(space)))
    throw new UsageError('Name the space: an app’s id, or keyless')
  await withApp(async (app) => {
    const forgotten = await app.operator.codes.unlock(space)
    console.log(values.json ? JSON.stringify({ space, forgotten }) : `${forgotten} failures of ${space} deleted`)
  })
}

export const CODES: Group = {
  title: 'Six-digit codes',
  commands: [
    {
      words: 'codes spaces',
      usage: '[--json]',
      summary: 'list wrong six-digit codes of the last 24 hours',
      examples: [['cairn codes spaces', 'by space: failures, budget, and source addresses']],
      run: codesSpaces,
    },
    {
      words: 'codes unlock',
      usage: 'SPACE [--json]',
      summary: 'delete the failures of a space, so that it accepts codes again',
      options: [['SPACE', 'an app’s id, or keyless']],
      examples: [['cairn codes unlock keyless', 'after the guessing has been stopped']],
      run: codesUnlock,
    },
  ],
}
