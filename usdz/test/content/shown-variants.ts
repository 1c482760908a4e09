import { NodeIO } from '@gltf-transform/core'
import { ALL_EXTENSIONS, type MappingList } from '@gltf-transform/extensions'
import { validateBytes } from 'gltf-validator'
import { expect } from 'vitest'
import { convertToGlb } from '../../index.ts'

/** Converts a package to a valid GLB, and returns what each variant shows of each primitive. */
export async function shownIn(usdz: Uint8Array) {
  const { glb, report } = await convertToGlb(usdz)
  expect((await validateBytes(glb)).issues.messages.filter(({ severity }) => severity < 2)).toEqual([])
  const root = (await new NodeIO().registerExtensions(ALL_EXTENSIONS).readBinary(glb)).getRoot()
  const shown = root.listMeshes().flatMap((mesh) =>
    mesh.listPrimitives().map((primitive) => {
      const list = primitive.getExtension<MappingList>('KHR_materials_variants')
      const mappings = list?.listMappings() ?? []
      const own = primitive.getMaterial()!.getName()
      const inVariant = (name: string) =>
        mappings.find((mapping) => mapping.listVariants().some((variant) => variant.getName() === name))
      const of = report.variants.map(({ name }): [string, string] => [
        name,
        inVariant(name)?.getMaterial()?.getName() ?? own,
      ])
      return { own, ...Object.fromEntries(of) }
    }),
  )
  const names = report.variants.map(({ name, selected }) => (selected ? `${name} (selected)` : name))
  return { root, report, names, shown, codes: report.notes.map(({ code }) => code) }
}
