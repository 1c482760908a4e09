import { type HttpError, unavailable } from '../../errors.ts'
import type { S3Settings } from './s3-client.ts'

/** An error of the SDK: S3's error code as `name`, and the response status, if any, in `$metadata`. */
type S3Fault = Error & { $metadata?: { httpStatusCode?: number } }

export const codeOf = (error: unknown): string => (error as S3Fault).name
export const statusOf = (error: unknown): number | undefined => (error as S3Fault).$metadata?.httpStatusCode

/** A HEAD response has no body with a code, so every 404 is "NotFound". */
export const isMissing = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(codeOf(error))

export const isPreconditionFailed = (error: unknown): boolean => statusOf(error) === 412

/** No response, or one that asks for a retry. An object damaged in transit is sent again too. */
export function isTransient(error: unknown): boolean {
  const status = statusOf(error)
  if (status === undefined) return true
  if ([408, 409, 429].includes(status)) return true
  if (['RequestTimeout', 'XAmzContentSHA256Mismatch', 'BadDigest', 'IncompleteBody'].includes(codeOf(error)))
    return true
  return status >= 500 && status !== 501
}

/** 503 for the caller, without details of the storage; the cause is logged. */
export function storageError(error: unknown): HttpError {
  const fault = unavailable('The file storage is not responding properly: try again', 5)
  fault.cause = error
  return fault
}

/** Turns an error into one that says what the operator can do. @param prefix of the settings of this storage */
export function adminError(error: unknown, { bucket, endpoint, region }: S3Settings, prefix = 'CAIRN_S3_'): Error {
  const where = endpoint ?? `AWS in ${region}`
  const sentences: Record<string, string> = {
    NoSuchBucket: `has no bucket "${bucket}": create it, or change ${prefix}BUCKET`,
    NotFound: `has no bucket "${bucket}": create it, or change ${prefix}BUCKET`,
    InvalidAccessKeyId: `does not know this ${prefix}ACCESS_KEY_ID`,
    SignatureDoesNotMatch: `refuses the signature: ${prefix}SECRET_ACCESS_KEY does not belong to this access key`,
    AccessDenied: `does not grant this access key all required permissions on the bucket "${bucket}": s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject`,
    RequestTimeTooSkewed: 'refuses the clock of this machine',
    PermanentRedirect: `has the bucket "${bucket}" in another region: set ${prefix}REGION`,
    AuthorizationHeaderMalformed: `has the bucket "${bucket}" in another region: set ${prefix}REGION`,
  }
  const answer = statusOf(error) === undefined ? 'does not answer' : 'does not answer as an S3 does'
  const why = sentences[codeOf(error)] ?? `${answer}: ${(error as Error).message || codeOf(error)}`
  return new Error(`The S3 at ${where} ${why}`, { cause: error })
}
