import { CairnError, createCairn, type Pages } from '../index.ts'
import { type Step, testCases } from './case-table.ts'

type Method = (...values: unknown[]) => unknown

testCases((baseUrl) => ({
  async call(step, credentials) {
    const { appKey = credentials.appKey, timeoutMs: timeout = 30_000 } = step
    const cairn = createCairn({ baseUrl, ...credentials, appKey, timeout, retry: { firstWait: 1 } })
    const [resource, name] = step.typescript.split('.') as [string, string]
    const method = (cairn as unknown as Record<string, Record<string, Method>>)[resource]![name]!
    try {
      const result = method(...argumentsOf(step))
      const answer = step.pages ? await (result as Pages<unknown>).all(step.pages) : await result
      return { answer: answer ?? null }
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      const { status, message, issues, requestId, retryAfter } = error
      return { error: { status, message, issues, requestId, retryAfter } }
    }
  },
}))

const argumentsOf = ({ arguments: given, path = {}, body, query, conditions }: Step) =>
  given ?? [...Object.values(path), ...[body ?? query, conditions].filter((value) => value !== undefined)]
