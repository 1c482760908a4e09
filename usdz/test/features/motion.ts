import type { Feature } from './feature.ts'
import { motionModels } from './motion-models.ts'

/** A glTF name, what it becomes, and the model of motion that has it. */
const carried: readonly (readonly [string, string, string])[] = [
  ['Translation, LINEAR', '`xformOp:translate` with time samples', 'translation LINEAR'],
  ['Rotation, LINEAR', '`xformOp:orient` with time samples', 'rotation LINEAR'],
  ['Scale, LINEAR', '`xformOp:scale` with time samples', 'scale LINEAR'],
  ['STEP', 'two time samples close together', 'translation STEP'],
  ['CUBICSPLINE', 'as many time samples as it takes', 'rotation CUBICSPLINE'],
  ['Skins', '`SkelRoot`, `Skeleton`, `SkelAnimation`', 'skin LINEAR'],
  ['Several skins that share joints', 'one `Skeleton`', 'several skins that share joints'],
  ['More than four weights a vertex', '`quicklook`: the four largest', 'six weights a vertex'],
  ['Joints with uneven scale', '`SkelAnimation.scales`', 'scales that are not even in a chain of joints'],
  ['Joints below nodes that are none', 'joints', 'joints below nodes that are none, which move too'],
  ['Morph targets', '`BlendShape` prims', 'weights LINEAR'],
  ['Morph targets with a skin', '`BlendShape` prims and `Skeleton`', 'morph targets with a skin'],
  ['Several clips', 'one after the other on the timeline', 'several clips'],
  ['Mirrored nodes that move', 'time samples and mirrored vertices', 'mirrored nodes that move'],
  ['Instances that move', 'a mesh for each instance', 'instances that move'],
  ['A thing held by a joint', 'a rigid weight', 'a thing held by a joint'],
]

export const motion: Feature[] = carried.map(([name, as, model]) => ({
  name,
  as,
  how: 'exact',
  glb: motionModels[model]!,
}))
