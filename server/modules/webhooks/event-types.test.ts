import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EventType } from './schema.ts'

const server = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, server), 'utf8')
const tests = globSync('{modules,test}/**/*.test.ts', { cwd: server })
  .filter((path) => !path.endsWith('event-types.test.ts'))
  .map(read)

describe.each(EventType.options)('the event %s', (type) => {
  test('has a row in docs/webhooks.md', () => {
    const rows = read('../docs/webhooks.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    const isDescribed = rows.some((row) => row.includes(`\`${type}\``))
    expect(isDescribed, `add ${type} to the table "What is sent" in docs/webhooks.md`).toBe(true)
  })

  test('is received by a test', () => {
    const isTested = tests.some((text) => text.includes(`'${type}'`))
    expect(isTested, `publish ${type}, and test it in server/modules/webhooks/events.test.ts`).toBe(true)
  })
})
