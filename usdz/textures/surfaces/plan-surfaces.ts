import type { Profile } from '../../options.ts'
import { type NoteBook, noteBook } from '../../report.ts'
import type { Material } from '../../scene/materials/material.ts'
import type { Surface } from '../../usd/surface.ts'
import { sideWithinBudget } from '../texture-budget.ts'
import type { TextureFiles } from '../texture-files.ts'
import { specularMerger } from './merge-specular-glossiness.ts'
import { planSurface } from './plan-surface.ts'

/**
 * The surfaces of all materials, their images in the package. An image that turns out unreadable on the way is left out
 * of all of them.
 */
export async function planSurfaces(
  materials: readonly Material[],
  profile: Profile,
  files: TextureFiles,
  notes: NoteBook,
): Promise<Map<Material, Surface>> {
  if (profile === 'quicklook') files.capSides(await sideWithinBudget(materials, files))
  const mergeSpecular = specularMerger(files)
  let complete = false
  let surfaces = new Map<Material, Surface>()
  let said = noteBook()
  while (!complete) {
    surfaces = new Map()
    said = noteBook()
    for (const material of materials) {
      surfaces.set(material, await planSurface(await mergeSpecular(material, said), profile, files, said))
    }
    complete = await files.settle()
  }
  for (const note of said.list()) notes.add(note)
  return surfaces
}
