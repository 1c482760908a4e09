/** The bytes that a Draco decoder may allocate for a model on the map. Those that are drawn need less. */
export const MOST_DRACO_BYTES = 512 * 1024 * 1024

/** What Emscripten allows by default: all that 32-bit WebAssembly could address. */
const DEFAULT = '2147483648'

/**
 * Bounds the memory of the Draco decoder, which believes the counts in its data: a few bytes can ask for gigabytes.
 * @param wrapper the script that loads the decoder and grows its memory @throws if it differs from the version this was written for
 */
export function withMostMemory(wrapper: string): string {
  const parts = wrapper.split(DEFAULT)
  if (parts.length !== 3) throw new Error('The Draco decoder grows its memory in another way: adapt this file to it')
  return `${CHANGED}\n${parts.join(String(MOST_DRACO_BYTES))}`
}

/** The Apache License (4b) requires that changed files say so. */
const CHANGED = '/*! Draco decoder, Google, Apache-2.0. Changed by Cairn: its memory is bounded. */'
