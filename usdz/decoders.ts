import { meshoptDecoder } from './read/buffers/buffer-views.ts'
import { dracoDecoder } from './read/buffers/draco.ts'
import { meshoptSimplifier } from './scene/geometry/simplify.ts'
import { loadSharp } from './textures/images/load-sharp.ts'

/** Loads all decoders and the simplifier in advance, for a process that loses file access afterwards. */
export const loadDecoders = (): Promise<unknown> =>
  Promise.all([dracoDecoder(), meshoptDecoder(), meshoptSimplifier(), loadSharp()])
