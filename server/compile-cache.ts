import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Beside the libraries: whoever can write there can change the code itself. */
const FOLDER = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))

/**
 * From here on Node takes what it compiled the last time, of all that is loaded and has not changed since: half the work
 * of a start. Written as the process ends; a folder that cannot be written to is done without. NODE_COMPILE_CACHE names
 * another folder, NODE_DISABLE_COMPILE_CACHE=1 turns it off.
 */
export function useCompileCache(): void {
  enableCompileCache(FOLDER)
}
