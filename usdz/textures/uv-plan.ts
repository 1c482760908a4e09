import type { Profile } from '../options.ts'
import type { TextureRef, UvTransform } from '../scene/material.ts'
import type { UvPrimvar } from '../usd/surface.ts'
import { plainPrimvar } from '../usd/write-mesh.ts'

/**
 * Decides where the textures of one material take their coordinates from. A texture transform is a shader node of its
 * own (`spec`), or, since viewers differ in how they read that node, a set of coordinates it is worked into (`quicklook`).
 */
export function uvPlan(profile: Profile) {
  const primvars = new Map<string, UvPrimvar>()
  return {
    use({ texCoord, transform }: TextureRef): { primvar: string; transform?: UvTransform } {
      const plain = plainPrimvar(texCoord)
      if (!transform || profile === 'spec') {
        primvars.set(plain, { name: plain, texCoord })
        return { primvar: plain, ...(transform && { transform }) }
      }
      const known = [...primvars.values()].find((primvar) => isSame(primvar, texCoord, transform))
      const name = known?.name ?? `${plain}_${primvars.size}`
      primvars.set(name, { name, texCoord, transform })
      return { primvar: name }
    },
    primvars: (): UvPrimvar[] => [...primvars.values()],
  }
}

const isSame = (primvar: UvPrimvar, texCoord: number, transform: UvTransform) =>
  primvar.texCoord === texCoord && JSON.stringify(primvar.transform) === JSON.stringify(transform)
