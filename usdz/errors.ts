/**
 * Why a file was not converted.
 * - `malformed`: the bytes break the rules of their format (not a GLB or USDZ, cut off, indices out of range …)
 * - `unsupported`: valid, but it needs something that cannot be shown (an unknown required extension, another file …)
 * - `too_large`: it exceeds one of the caller's limits
 */
export type ConversionErrorCode = 'malformed' | 'unsupported' | 'too_large'

/** The only error that conversions throw for bad input. Its message is meant for the author of the file. */
export class ConversionError extends Error {
  readonly code: ConversionErrorCode

  constructor(code: ConversionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConversionError'
    this.code = code
  }
}

export const malformed = (message: string, options?: ErrorOptions) => new ConversionError('malformed', message, options)
export const unsupported = (message: string) => new ConversionError('unsupported', message)
export const tooLarge = (message: string) => new ConversionError('too_large', message)
