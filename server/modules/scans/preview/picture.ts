import type { Drawing } from '../../../../usdz/index.ts'
import type { Splats } from './splats.ts'

/** Which way is up; y downwards is the way of cameras. */
export type Up = 'y' | 'z' | 'y-down'

/** What a preview shows. */
export type Picture = Pick<Drawing, 'surfaces' | 'clouds'> & { up: Up; splats?: Splats }
