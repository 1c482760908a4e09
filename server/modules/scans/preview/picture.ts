import type { Preview } from '../../../../usdz/index.ts'
import type { Splats } from './splats.ts'

/** Which way is up; y downwards is the way of cameras. */
export type Up = 'y' | 'z' | 'y-down'

/** What a preview shows. */
export type Picture = Pick<Preview, 'meshes' | 'pointClouds'> & { up: Up; splats?: Splats }
