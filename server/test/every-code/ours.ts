import { fileURLToPath } from 'node:url'

/** The register of the service's PROJ. */
export const OUR_PROJ_DB = fileURLToPath(new URL('proj.db', import.meta.resolve('proj-wasm')))
