import type { ConversionError } from '../index.ts'

/** A valid model may be refused only if it requires an unregistered extension, or a later version of glTF. */
export const isRightlyRefused = ({ code, message }: ConversionError): boolean =>
  code === 'unsupported' &&
  ((/requires the extension [A-Z]+_\w+, which is not supported/.test(message) &&
    !/extension (KHR|EXT)_/.test(message)) ||
    /is written in glTF .*; only glTF 2\.0 can be read/.test(message))
