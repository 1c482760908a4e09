import type { z } from 'zod'
import { HttpError, type Issue } from '../errors.ts'

/** Validates with zod and keeps zod's codes and paths. A malformed record ID in a path is an unknown record: 404. */
export const validator =
  ({ schema, httpPart }: { schema: z.ZodType; httpPart?: string }) =>
  (data: unknown) => {
    const result = schema.safeParse(data)
    if (!result.success) {
      const [first] = result.error.issues
      const repeated = httpPart === 'querystring' ? repeatedIn(data, result.error.issues) : []
      if (repeated.length > 0) return { error: new HttpError(400, repeated) }
      if (httpPart === 'params' && first?.code === 'invalid_format' && first.format === 'uuid')
        return { error: new HttpError(404, first.message) }
      return {
        error: new HttpError(400, result.error.issues.flatMap(issuesOf(httpPart === 'body' ? 'member' : 'parameter'))),
      }
    }
    const fault = unstorable(result.data)
    if (fault) return { error: new HttpError(400, [{ code: 'custom', ...fault }]) }
    return { value: result.data }
  }

/** Parameters of a query that are not valid because they are repeated. */
function repeatedIn(query: unknown, issues: z.core.$ZodIssue[]): Issue[] {
  const names = new Set(issues.map(({ path }) => String(path[0])))
  return Object.entries(query as Record<string, unknown>)
    .filter(([name, value]) => Array.isArray(value) && names.has(name))
    .map(([name]) => ({ code: 'custom', message: 'is given twice: send it once', path: [name] }))
}

/** Turns unknown names into one issue each. */
const issuesOf =
  (kind: 'member' | 'parameter') =>
  (issue: z.core.$ZodIssue): Issue[] => {
    if (issue.code !== 'unrecognized_keys') return [issueOf(issue)]
    const { path } = issueOf(issue)
    const message = `is not a known ${kind} here: remove it`
    return issue.keys.map((key) => ({ code: issue.code, message, path: [...path, key] }))
  }

const issueOf = (issue: z.core.$ZodIssue): Issue => ({
  code: issue.code,
  message: sentenceOf(issue),
  path: issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
})

/** zod's message, with better ones for missing values. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_key' && issue.issues[0]) return `is not a valid name: it ${issue.issues[0].message}`
  const { message, path } = issue
  if (path.length === 0 && /^Invalid input: expected object, received (undefined|null)$/.test(message))
    return 'the body is missing: send a JSON object'
  return /^Invalid input: expected .*, received undefined$/.test(message) ? 'is required' : message
}

type Fault = { message: string; path: (string | number)[] }

/**
 * Finds what would not be stored as it was sent: a string with NUL or a lone surrogate, and a number beyond those of a
 * double, such as 1e400. The rule is the same for all operations. The nesting of bodies is already bounded.
 */
function unstorable(value: unknown): Fault | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : { message: NOT_TEXT, path: [] }
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { message: NOT_NUMBER, path: [] }
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      // Skip numbers fast: a boundary has tens of thousands.
      if (Number.isFinite(value[i])) continue
      const fault = unstorable(value[i])
      if (fault) return { message: fault.message, path: [i, ...fault.path] }
    }
    return undefined
  }
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) return { message: NOT_TEXT, path: [name.toWellFormed()] }
    const fault = unstorable(member)
    if (fault) return { message: fault.message, path: [name, ...fault.path] }
  }
  return undefined
}

const NOT_TEXT = 'must be Unicode text without NUL'
const NOT_NUMBER = 'must be a number that a double can hold: send it as a string'
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')
