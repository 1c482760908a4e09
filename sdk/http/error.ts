/** One validation error of a body or parameter. `too_small` and `too_big` include what was measured (`string`: characters) and the bound. */
export type Issue = {
  code: string
  message: string
  path: (string | number)[]
  origin?: string
  minimum?: number
  maximum?: number
}

/** A failed request. `status` is that of the response, or 0 if there was none; `cause` then has the reason. */
export class CairnError extends Error {
  override readonly name = 'CairnError'
  readonly status: number
  /** The error in the response: a message, or a list of validation errors. */
  readonly error: string | Issue[]
  /** The ID of the request in the service's log. */
  readonly requestId: string | null
  /** Seconds to wait before retrying, if the service specified them. */
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

  /** The validation errors; empty if the service returned a message. */
  get issues(): Issue[] {
    return typeof this.error === 'string' ? [] : this.error
  }
}

const inWords = ({ path, message }: Issue) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)

/** Creates the error of a failed response. */
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
