import { isId } from '../platform/ids.ts'
import { readOptions, UsageError, withApp } from './operator.ts'

const JSON_OUTPUT = { json: { type: 'boolean' } } as const

/** Where wrong six-digit codes were sent in the last 24 hours, how many more are allowed, and whence they came. */
export async function codesSpaces(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is one word too many`)
  await withApp(async (app) => {
    const spaces = await app.operator.codes.list()
    if (values.json) return console.log(JSON.stringify({ spaces }))
    if (spaces.length === 0) console.log('No wrong code in the last 24 hours')
    for (const { space, failures, budget, wait, addresses } of spaces) {
      console.log(`${space}  ${failures} of ${budget} failures${wait === null ? '' : `, locked for ${wait} s`}`)
      for (const one of addresses) console.log(`    ${one.address}  ${one.failures}`)
    }
  })
}

/** Lets codes be exchanged again in a locked space. */
export async function codesUnlock(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  const [space, ...more] = positionals
  if (!space || more.length > 0 || (space !== 'keyless' && !isId(space)))
    throw new UsageError('Say which space: an app’s id, or keyless')
  await withApp(async (app) => {
    const forgotten = await app.operator.codes.unlock(space)
    console.log(values.json ? JSON.stringify({ space, forgotten }) : `${forgotten} failures of ${space} are forgotten`)
  })
}
