import type { Attenuation, Color, Material } from './material.ts'

/**
 * Returns the tint of light that passes through a volume (Beer–Lambert): colour ^ (thickness / distance), for the share
 * of light that passes. Source: KHR_materials_volume.
 * @param part of the thickness, as a thickness texture gives it.
 */
export const tintOf = ({ color, depth, share }: Attenuation, part = 1): Color =>
  color.map((value) => 1 - share + share * value ** (depth * part)) as unknown as Color

/**
 * Deepens the volume of a material by the scale of the node that shows it, and multiplies its tint into the base
 * colour. A volume with a thickness texture keeps its attenuation: its tint is made with the pixels.
 */
export function scaleVolume(given: Material, scale: number): Material {
  const { attenuation, ...material } = given
  if (!attenuation) return given
  const deep = { ...attenuation, depth: attenuation.depth * scale }
  if (attenuation.texture) return { ...material, attenuation: deep }
  const tint = tintOf(deep)
  return { ...material, baseColor: material.baseColor.map((value, i) => value * tint[i]!) as unknown as Color }
}
