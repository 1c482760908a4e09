import { dracoDecoder } from './read/draco.ts'
import { meshoptDecoder } from './read/views.ts'
import { imageLibrary } from './textures/image-library.ts'

/** Loads every decoder before a model needs it: for a process that can read no file afterwards. */
export const loadDecoders = (): Promise<unknown> => Promise.all([dracoDecoder(), meshoptDecoder(), imageLibrary()])
