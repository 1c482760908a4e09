import { JSON_TYPE } from './media-types.ts'

/** The errors of the interface by status: their names in the API document, and what they mean. */
const FAILURES = {
  400: ['Malformed', 'The request is malformed'],
  401: ['Unauthorized', 'No valid credential'],
  403: ['Forbidden', 'The caller may not write this'],
  404: ['Missing', 'Not found'],
  408: ['Timeout', 'The body did not arrive in time'],
  409: ['Conflict', 'The change conflicts with other records'],
  412: ['Stale', 'If-Match does not hold'],
  413: ['TooLarge', 'The body is too large'],
  415: ['UnsupportedType', 'The media type of the body is not supported'],
  429: ['TooMany', 'The quota of requests is used up: wait as long as `Retry-After` says'],
  500: ['Fault', 'A fault of the service'],
  503: ['Unavailable', 'The service is busy, or its database is unavailable: wait as long as `Retry-After` says'],
  507: ['Full', 'The service has no space left'],
} as const
type Status = keyof typeof FAILURES

/** Every operation may answer these. */
const ALWAYS: Status[] = [429, 500, 503]
/** Errors of an operation that reads: the features and documents are public. */
export const READ_FAILURES: Status[] = [400]
/** Errors of an operation with a body or a condition, for a caller who may not write or sends what does not fit. */
export const WRITE_FAILURES: Status[] = [400, 401, 403, 408, 409, 413, 415]

/** The error responses of an operation, which are described once. */
export const failures = (...statuses: Status[]) =>
  Object.fromEntries(
    [...statuses, ...ALWAYS].map((status) => [status, { $ref: `#/components/responses/${FAILURES[status][0]}` }]),
  )

/** What they stand for. */
export const failureResponses = () =>
  Object.fromEntries(
    Object.values(FAILURES).map(([name, description]) => [
      name,
      {
        description,
        content: { [JSON_TYPE]: { schema: { type: 'object', required: ['error'], properties: { error: {} } } } },
      },
    ]),
  )
