/** One fault in a request. `code` is zod's issue code or a domain code in lower snake case; `path` locates the member. */
export type Issue = {
  code: string
  message: string
  path: (string | number)[]
}

/** A failure the caller can act on: its status and what to say. Anything else that is thrown is a fault of ours and answers 500. */
export class HttpError extends Error {
  readonly status: number
  readonly error: string | Issue[]
  readonly headers: Record<string, string>

  constructor(status: number, error: string | Issue[], headers: Record<string, string> = {}) {
    super(typeof error === 'string' ? error : error.map((issue) => issue.message).join('; '))
    this.status = status
    this.error = error
    this.headers = headers
  }
}

export const badRequest = (message: string) => new HttpError(400, message)
/** 400 in the array form: says which members are at fault. */
export const invalid = (issues: Issue[]) => new HttpError(400, issues)
export const unauthorized = (message: string) => new HttpError(401, message, { 'www-authenticate': 'Bearer' })
export const forbidden = (message: string) => new HttpError(403, message)
export const notFound = (what: string) => new HttpError(404, `${what} not found`)
export const conflict = (message: string) => new HttpError(409, message)
export const unavailable = (message: string, retryAfterSeconds: number) =>
  new HttpError(503, message, { 'retry-after': String(retryAfterSeconds) })
/** Whether something is only away for now, as a storage that does not answer: what a job waits for, and nobody's fault. */
export const isUnavailable = (error: unknown): boolean => error instanceof HttpError && error.status === 503
/** Whether a disk has no room for it: a job waits for that too. */
export const isFull = (error: unknown): boolean => error instanceof HttpError && error.status === 507
