import { extensions } from './extensions.ts'
import type { Feature } from './feature.ts'
import { geometry } from './geometry.ts'
import { materials } from './materials.ts'
import { motion } from './motion.ts'
import { scene } from './scene.ts'
import { textures } from './textures.ts'

/** All glTF features with a row in the support table, by heading. */
export const features: Record<string, Feature[]> = {
  Geometry: geometry,
  Scene: scene,
  Materials: materials,
  Textures: textures,
  'Material extensions': extensions,
  Motion: motion,
}
