/** A fault in a request. `code` is zod's issue code or a domain code in lower snake case; `path` locates the member. */
export type Issue = {
  code: string
  message: string
  path: (string | number)[]
}

/**
 * An error that the caller can act on, with its status and message. Any other error is a fault of the service and
 * returns 500.
 */
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

/** A 503 of a write that may have happened, or may happen yet: nobody knows its outcome. */
export class UnknownOutcome extends HttpError {
  constructor(message: string, cause?: unknown) {
    super(503, message, { 'retry-after': '1' })
    this.cause = cause
  }
}

export const badRequest = (message: string) => new HttpError(400, message)
/** A 400 with a list of faulty members. */
export const invalid = (issues: Issue[]) => new HttpError(400, issues)
export const unauthorized = (message: string) => new HttpError(401, message, { 'www-authenticate': 'Bearer' })
export const forbidden = (message: string) => new HttpError(403, message)
export const notFound = (what: string) => new HttpError(404, `${what} not found`)
export const conflict = (message: string) => new HttpError(409, message)
export const unavailable = (message: string, retryAfterSeconds: number) =>
  new HttpError(503, message, { 'retry-after': String(retryAfterSeconds) })
/** Whether an error means temporary unavailability, such as a storage outage: jobs wait for its end. */
export const isUnavailable = (error: unknown): boolean => error instanceof HttpError && error.status === 503
/** Whether an error means a full disk: jobs wait for that too. */
export const isFull = (error: unknown): boolean => error instanceof HttpError && error.status === 507
