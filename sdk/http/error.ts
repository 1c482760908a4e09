/** What is wrong with one member of a body, or with one parameter. Of `too_small` and `too_big`: what was measured (`string`: characters), and the bound. */
export type Issue = {
  code: string
  message: string
  path: (string | number)[]
  origin?: string
  minimum?: number
  maximum?: number
}

/** A request that did not succeed. `status` is the answer's, or 0 when there was none (`cause` then says why). */
export class CairnError extends Error {
  override readonly name = 'CairnError'
  readonly status: number
  /** What the service answered: a sentence that says what to change, or what is wrong with each member. */
  readonly error: string | Issue[]
  /** The service's log has a line with this id. */
  readonly requestId: string | null
  /** Seconds after which it may be tried again, when the service named a time. */
  readonly retryAfter: number | null

  constructor(
    status: number,
    error: string | Issue[],
    about: { requestId?: string | null; retryAfter?: number | null; cause?: unknown } = {},
  ) {
    super(typeof error === 'string' ? error : error.map(inWords).join('; '), { cause: about.cause })
    this.status = status
    this.error = error
    this.requestId = about.requestId ?? null
    this.retryAfter = about.retryAfter ?? null
  }

  /** The members that are wrong; empty when the service answered a sentence. */
  get issues(): Issue[] {
    return typeof this.error === 'string' ? [] : this.error
  }
}

const inWords = ({ path, message }: Issue) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)

/** The failure that this answer tells of. */
export function errorOf(response: Response, text: string): CairnError {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new CairnError(response.status, errorIn(text) ?? `${response.status} ${response.statusText}`.trim(), {
    requestId: response.headers.get('x-request-id'),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  })
}

function errorIn(text: string): string | Issue[] | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    return typeof error === 'string' || Array.isArray(error) ? error : undefined
  } catch {
    return undefined // not the service's own words: something in between answered
  }
}
