import { joined, latin1 } from '../bytes.ts'
import { writeCrate } from '../usd/crate/write-crate.ts'
import { readTextLayer } from './read-text-layer.ts'

/** Tells whether bytes are a text layer. */
export const isTextLayer = (bytes: Uint8Array): boolean => latin1(bytes.subarray(0, 5)) === '#usda'

/**
 * Returns the crate file of a text layer, for readers of crate files.
 * @throws ConversionError naming the line that cannot be read.
 */
export const crateOfText = (bytes: Uint8Array): Uint8Array => joined(writeCrate(readTextLayer(bytes)))
