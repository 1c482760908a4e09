import { meshoptDecoder } from './read/buffers/buffer-views.ts'
import { dracoDecoder } from './read/buffers/draco.ts'
import { loadSharp } from './textures/images/load-sharp.ts'

/** Loads every decoder before a model needs it: for a process that can read no file afterwards. */
export const loadDecoders = (): Promise<unknown> => Promise.all([dracoDecoder(), meshoptDecoder(), loadSharp()])
