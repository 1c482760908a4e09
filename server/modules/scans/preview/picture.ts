import type { Preview } from '../../../../usdz/index.ts'
import type { Splats } from './splats.ts'

/** The up axis; -y is that of cameras. */
export type Up = 'y' | 'z' | 'y-down'

/** The content of a preview. */
export type Picture = Pick<Preview, 'meshes' | 'pointClouds'> & { up: Up; splats?: Splats }
