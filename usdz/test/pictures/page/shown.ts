import type { Object3D } from 'three'

/** One side of a comparison, ready to be drawn. */
export type Shown = {
  object: Object3D
  clips: { name: string; duration: number }[]
  /** Poses the model at a time of a clip in seconds; at rest without a clip. */
  pose(clip: number | undefined, seconds: number): void
}
