import type { ConversionError } from '../index.ts'

/** The refusals of valid models that are right. */
const right: readonly RegExp[] = [
  // An unregistered extension.
  /requires the extension (?!KHR_|EXT_)[A-Z]+_\w+, which is not supported/,
  // An extension of glTF 1.0 that was never ratified for 2.0: it needs the shaders of its author.
  /requires the extension KHR_techniques?_webgl, which is not supported/,
  // A later version of glTF, by `minVersion` or by a type that 2.0 does not have.
  /is written in glTF .*; only glTF 2\.0 can be read/,
  /its type or component type is unknown\.$/,
  // A buffer without a file and without data.
  /^buffer \d+: it needs \d+ bytes, the binary chunk has 0\.$/,
]

/** Tells whether a refusal of a valid model is right. */
export const isRightlyRefused = ({ message }: ConversionError): boolean => right.some((reason) => reason.test(message))
