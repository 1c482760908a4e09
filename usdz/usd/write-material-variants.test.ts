import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Material } from '@gltf-transform/core'
import { KHRMaterialsVariants } from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import { convert } from '../index.ts'
import { composed } from '../test/judges/composed.ts'
import { judge } from '../test/judges/judge.ts'
import { givenModel, withJson } from '../test/models.ts'
import { openUsdz } from '../test/open-usdz.ts'

/** A shoe whose body and lace have a material in each variant, and a box that no variant changes. */
async function shoe(begins: 'Plain' | 'Night'): Promise<Uint8Array> {
  const model = givenModel()
  const extension = model.document.createExtension(KHRMaterialsVariants)
  const material = (name: string) => model.document.createMaterial(name)
  const [plain, night, beach, box] = ['Plain', 'Night', 'Beach', 'Box'].map(material) as [
    Material,
    Material,
    Material,
    Material,
  ]
  beach.setDoubleSided(true)
  const [atNight, atTheBeach] = ['Midnight!', 'Beach'].map((name) => extension.createVariant(name))
  const varied = (own: Material) => {
    const list = extension.createMappingList()
    list.addMapping(extension.createMapping().setMaterial(night).addVariant(atNight!))
    list.addMapping(extension.createMapping().setMaterial(beach).addVariant(atTheBeach!))
    return model.square(own).setExtension('KHR_materials_variants', list)
  }
  const own = begins === 'Plain' ? plain : night
  const shoeNode = model.node('Shoe', model.mesh('Body', varied(own)))
  model.node('Lace', model.mesh('Lace', varied(own)), shoeNode)
  model.node('Carton', model.mesh('Carton', model.square(box)))
  return await model.glb()
}

const bound = (text: string) =>
  [...text.matchAll(/material:binding = <\/Root\/Materials\/(\w+)>/g)].map(([, name]) => name)
const selecting = (name: string) =>
  `#usda 1.0\ndef "Root" (\nreferences = @a.usdz@\nvariants = { string materialVariant = "${name}" }\n) {}`

describe('material variants', () => {
  test('are variants of the default prim, with the default look of the GLB selected', { tags: ['long'] }, async () => {
    const { usdz, report } = await convert(await shoe('Plain'), { profile: 'spec' })
    expect(report.notes).toEqual([])
    expect(report.materials).toBe(4)
    const shown = await composed({ 'a.usdz': usdz })
    expect(shown.complaints).toEqual([])
    expect(bound(shown.text).sort()).toEqual(['Box', 'Plain', 'Plain'])
    for (const [look, material, sides] of [
      ['Midnight_', 'Night', 'doubleSided = 0'],
      ['Beach', 'Beach', 'doubleSided = 1'],
    ]) {
      const { text, complaints } = await composed({ 'a.usdz': usdz, 'on-top.usda': selecting(look!) })
      expect(complaints).toEqual([])
      expect(bound(text).sort()).toEqual([material, 'Box', material].sort())
      expect(text).toContain(sides)
    }
  })

  test('add no variant for the default look if one equals it', { tags: ['long'] }, async () => {
    const { usdz } = await convert(await shoe('Night'), { profile: 'spec' })
    const { crate } = openUsdz(usdz).stage
    const looks = crate.tokens.filter((token) => token.startsWith('{'))
    expect(looks).toEqual(['{materialVariant=}', '{materialVariant=Midnight_}', '{materialVariant=Beach}'])
    expect(bound((await composed({ 'a.usdz': usdz })).text).sort()).toEqual(['Box', 'Night', 'Night'])
  })

  test('are read by all readers, with correct mesh positions', { tags: ['long'] }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'usdz-variants-'))
    try {
      const file = join(folder, 'a.usdz')
      await writeFile(file, (await convert(await shoe('Plain'), { profile: 'spec' })).usdz)
      for (const name of ['openusd', 'tinyusdz', 'three'] as const) {
        expect((await judge(name, [file]))[0], name).toMatchObject({ ok: true, meshes: 3, triangles: 6 })
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('are omitted for Quick Look with a note, and without their materials', async () => {
    const { usdz, report } = await convert(await shoe('Plain'))
    expect(report.notes).toMatchObject([{ code: 'variants', count: 2 }])
    expect(report.materials).toBe(2)
    expect(openUsdz(usdz).target('/Root/Shoe/Body.material:binding')).toBe('/Root/Materials/Plain')
  })

  test('with a missing material make the GLB malformed', async () => {
    const glb = withJson(await shoe('Plain'), (json) => {
      const [mesh] = json.meshes as {
        primitives: { extensions: Record<string, { mappings: { material: number }[] }> }[]
      }[]
      mesh!.primitives[0]!.extensions.KHR_materials_variants!.mappings[0]!.material = 99
    })
    await expect(convert(glb, { profile: 'spec' })).rejects.toMatchObject({ code: 'malformed' })
  })
})
