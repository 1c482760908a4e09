import { meshoptDecoder } from './read/buffers/buffer-views.ts'
import { dracoDecoder } from './read/buffers/draco.ts'
import { loadSharp } from './textures/images/load-sharp.ts'

/** Loads all decoders in advance, for a process that loses file access afterwards. */
export const loadDecoders = (): Promise<unknown> => Promise.all([dracoDecoder(), meshoptDecoder(), loadSharp()])
