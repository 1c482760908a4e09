import { meshoptDecoder } from './read/buffers/buffer-views.ts'
import { dracoDecoder } from './read/buffers/draco-decoder.ts'
import { meshoptSimplifier } from './scene/geometry/simplify.ts'
import { loadCodec } from './textures/images/codec.ts'

/** Loads all decoders and the simplifier in advance, for a process that loses file access afterwards. */
export const loadDecoders = (): Promise<unknown> =>
  Promise.all([dracoDecoder(), meshoptDecoder(), meshoptSimplifier(), loadCodec()])
