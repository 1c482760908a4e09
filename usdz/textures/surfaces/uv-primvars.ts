import type { Profile } from '../../options/options.ts'
import type { Material, TextureRef, UvTransform } from '../../scene/materials/material.ts'
import { plainPrimvar, type UvPrimvar } from '../../usd/surface.ts'
import { texturesOf } from '../texture-budget.ts'

/**
 * Assigns texture coordinate primvars to the textures of a material. A texture transform becomes a shader node (`spec`)
 * or, since viewers interpret that node differently, a baked coordinate set (`quicklook`). Baked sets use the first
 * free names: many viewers support `st` and `st1` only.
 */
export function planUvPrimvars(material: Material, profile: Profile) {
  const primvars = new Map<string, UvPrimvar>()
  const bakedTransform = (ref: TextureRef) => (profile !== 'spec' ? ref.transform : undefined)
  for (const ref of texturesOf(material)) {
    const { texCoord } = ref
    if (texCoord !== 'colors' && !bakedTransform(ref))
      primvars.set(plainPrimvar(texCoord), { name: plainPrimvar(texCoord), texCoord })
  }
  const find = (texCoord: TextureRef['texCoord'], transform: UvTransform | undefined) =>
    [...primvars.values()].find((primvar) => isSame(primvar, texCoord, transform))
  for (const ref of texturesOf(material)) {
    const transform = bakedTransform(ref)
    if (find(ref.texCoord, transform)) continue
    let free = 0
    while (primvars.has(plainPrimvar(free))) free++
    primvars.set(plainPrimvar(free), {
      name: plainPrimvar(free),
      texCoord: ref.texCoord,
      ...(transform && { transform }),
    })
  }
  const used = new Set<string>()
  return {
    use(ref: TextureRef): { primvar: string; transform?: UvTransform } {
      const { name } = find(ref.texCoord, bakedTransform(ref))!
      used.add(name)
      return { primvar: name, ...(profile === 'spec' && ref.transform && { transform: ref.transform }) }
    },
    /** The primvars that textures use. */
    primvars: (): UvPrimvar[] => [...primvars.values()].filter(({ name }) => used.has(name)),
  }
}

const isSame = (primvar: UvPrimvar, texCoord: TextureRef['texCoord'], transform: UvTransform | undefined) =>
  primvar.texCoord === texCoord && JSON.stringify(primvar.transform) === JSON.stringify(transform)
