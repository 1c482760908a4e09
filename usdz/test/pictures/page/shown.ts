import type { Object3D } from 'three'

/** One side of a comparison, ready to be drawn. */
export type Shown = {
  object: Object3D
  clips: { name: string; duration: number }[]
  /** Poses the model at a time in seconds of the clips that play together; at rest without clips. */
  pose(clips: readonly number[] | undefined, seconds: number): void
}
