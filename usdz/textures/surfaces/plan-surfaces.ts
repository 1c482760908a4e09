import type { Profile } from '../../options/options.ts'
import { createNotes, type Notes } from '../../report.ts'
import type { Material } from '../../scene/materials/material.ts'
import type { Surface } from '../../usd/surface.ts'
import { maxSideWithinBudget } from '../texture-budget.ts'
import type { TextureFiles } from '../texture-files.ts'
import { attenuationBaker } from './bake-attenuation.ts'
import { specularGlossinessMerger } from './merge-specular-glossiness.ts'
import { planSurface } from './plan-surface.ts'

/**
 * Plans the surfaces of all materials and adds their images to the package. Images that turn out to be unreadable are
 * left out of all surfaces.
 */
export async function planSurfaces(
  materials: readonly Material[],
  { profile, maxTextureSize }: { profile: Profile; maxTextureSize?: number | undefined },
  files: TextureFiles,
  notes: Notes,
): Promise<Map<Material, Surface>> {
  if (profile !== 'spec') files.limitSides(await maxSideWithinBudget(materials, files, maxTextureSize))
  else if (maxTextureSize !== undefined) files.limitSides(maxTextureSize)
  const mergeSpecular = specularGlossinessMerger(files)
  const bakeAttenuation = attenuationBaker(files)
  let complete = false
  let surfaces = new Map<Material, Surface>()
  let surfaceNotes = createNotes()
  while (!complete) {
    surfaces = new Map()
    surfaceNotes = createNotes()
    for (const material of materials) {
      const merged = await bakeAttenuation(await mergeSpecular(material, surfaceNotes))
      surfaces.set(material, await planSurface(merged, profile, files, surfaceNotes))
    }
    complete = await files.finish()
  }
  for (const note of surfaceNotes.list()) notes.add(note)
  return surfaces
}
