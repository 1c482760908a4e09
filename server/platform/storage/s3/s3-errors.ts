import { type HttpError, unavailable } from '../../errors.ts'
import type { S3Settings } from './s3-client.ts'

/** What the SDK throws: the error code of S3 as `name`, the status of the answer, if there was one, in `$metadata`. */
type S3Fault = Error & { $metadata?: { httpStatusCode?: number } }

export const codeOf = (error: unknown): string => (error as S3Fault).name
export const statusOf = (error: unknown): number | undefined => (error as S3Fault).$metadata?.httpStatusCode

/** HEAD has no body to name the code in: then every 404 is "NotFound". */
export const isMissing = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(codeOf(error))

export const isPreconditionFailed = (error: unknown): boolean => statusOf(error) === 412

/** No answer, or one that says to try again. An object that was damaged on its way is sent again too. */
export function isTransient(error: unknown): boolean {
  const status = statusOf(error)
  if (status === undefined) return true
  if ([408, 409, 429].includes(status)) return true
  if (['RequestTimeout', 'XAmzContentSHA256Mismatch', 'BadDigest', 'IncompleteBody'].includes(codeOf(error)))
    return true
  return status >= 500 && status !== 501
}

/** 503 for the caller, who learns nothing of the storage; the cause is for the log. */
export function storageError(error: unknown): HttpError {
  const fault = unavailable('The storage of files does not answer as it should: try again', 5)
  fault.cause = error
  return fault
}

/** What an operator is to do about it. */
export function adminError(error: unknown, { bucket, endpoint, region }: S3Settings): Error {
  const where = endpoint ?? `AWS in ${region}`
  const sentences: Record<string, string> = {
    NoSuchBucket: `has no bucket "${bucket}": make it, or change CAIRN_S3_BUCKET`,
    NotFound: `has no bucket "${bucket}": make it, or change CAIRN_S3_BUCKET`,
    InvalidAccessKeyId: 'does not know this CAIRN_S3_ACCESS_KEY_ID',
    SignatureDoesNotMatch: 'refuses the signature: CAIRN_S3_SECRET_ACCESS_KEY is not the one of this access key',
    AccessDenied: `does not let this access key do all that is needed in the bucket "${bucket}": s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject`,
    RequestTimeTooSkewed: 'finds the clock of this machine wrong',
    PermanentRedirect: `has the bucket "${bucket}" in another region: set CAIRN_S3_REGION`,
    AuthorizationHeaderMalformed: `has the bucket "${bucket}" in another region: set CAIRN_S3_REGION`,
  }
  const answer = statusOf(error) === undefined ? 'does not answer' : 'does not answer as an S3 does'
  const why = sentences[codeOf(error)] ?? `${answer}: ${(error as Error).message || codeOf(error)}`
  return new Error(`The S3 at ${where} ${why}`, { cause: error })
}
