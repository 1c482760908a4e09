import type { z } from 'zod'
import { HttpError, type Issue } from './errors.ts'

/** Validates with zod and keeps zod's codes and paths. A malformed record id in a path is an unknown record: 404. */
export const validator =
  ({ schema, httpPart }: { schema: z.ZodType; httpPart?: string }) =>
  (data: unknown) => {
    const result = schema.safeParse(data)
    if (!result.success) {
      const [first] = result.error.issues
      if (httpPart === 'params' && first?.code === 'invalid_format' && first.format === 'uuid')
        return { error: new HttpError(404, first.message) }
      return { error: new HttpError(400, result.error.issues.map(issueOf)) }
    }
    const path = unstorable(result.data)
    if (path)
      return { error: new HttpError(400, [{ code: 'custom', message: 'must be Unicode text without NUL', path }]) }
    return { value: result.data }
  }

const issueOf = ({ code, message, path }: z.core.$ZodIssue): Issue => ({
  code,
  message,
  path: path.map((part) => (typeof part === 'number' ? part : String(part))),
})

/** Where a text is that PostgreSQL cannot keep as it came (NUL, half a surrogate pair), or undefined. One rule for every text of every operation. */
function unstorable(value: unknown): (string | number)[] | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    if (!name.isWellFormed() || name.includes('\0')) return [name.toWellFormed()]
    const path = unstorable(member)
    if (path) return [Array.isArray(value) ? Number(name) : name, ...path]
  }
  return undefined
}
