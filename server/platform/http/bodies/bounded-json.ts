import { HttpError } from '../../errors.ts'

/** Serializes a value for storage. @param refusal the error message for a value of this many bytes @throws 413 beyond `max` bytes */
export function boundedJson(value: unknown, max: number, refusal: (bytes: number) => string) {
  const json = JSON.stringify(value)
  const bytes = Buffer.byteLength(json)
  if (bytes > max) throw new HttpError(413, refusal(bytes))
  return { json, bytes }
}
