import { afterAll, beforeAll } from 'vitest'
import { type Outcome, testCases } from '../../sdk/test/case-table.ts'
import { compileForMono } from './mono-program.ts'

let program: ReturnType<typeof compileForMono>
beforeAll(() => {
  program = compileForMono()
})
afterAll(() => program?.remove())

testCases((url) => {
  const talk = program.talk(['calls'], { CAIRN_URL: url })
  return {
    call: async (step, credentials) => (await talk.ask({ ...credentials, ...step })) as Outcome,
    close: talk.end,
  }
})
