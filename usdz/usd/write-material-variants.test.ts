import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Material } from '@gltf-transform/core'
import { KHRMaterialsVariants } from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import { convert } from '../index.ts'
import { givenModel, squareGlb, withJson } from '../test/content/models.ts'
import { composed } from '../test/judges/composed.ts'
import { judge } from '../test/judges/judge.ts'
import { openUsdz } from '../test/open-usdz.ts'

const profiles = ['quicklook', 'spec'] as const

/** A shoe whose body and lace have a material in each variant, and a box that no variant changes. */
async function shoe(begins: 'Plain' | 'Night', colors?: Float32Array): Promise<Uint8Array> {
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
    const square = model.square(own).setExtension('KHR_materials_variants', list)
    return colors ? square.setAttribute('COLOR_0', model.accessor('VEC3', colors)) : square
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
  test.each(profiles)(
    'are variants of the default prim, the default look of the GLB selected, in %s',
    {
      tags: ['long'],
    },
    async (profile) => {
      const { usdz, report } = await convert(await shoe('Plain'), { profile })
      expect(report.notes).toEqual([])
      expect(report.variants).toEqual([
        { name: 'Midnight!', index: 0, selected: false },
        { name: 'Beach', index: 1, selected: false },
      ])
      expect(report.materials).toBe(4)
      const shown = await composed({ 'a.usdz': usdz })
      expect(shown.complaints).toEqual([])
      expect(bound(shown.text).sort()).toEqual(['Box', 'Plain', 'Plain'])
      expect(shown.text).toMatch(/dictionary gltfVariants = {\s+string Midnight_ = "Midnight!"\s+}/)
      for (const [look, material, sides] of [
        ['Midnight_', 'Night', 'doubleSided = 0'],
        ['Beach', 'Beach', 'doubleSided = 1'],
      ]) {
        const { text, complaints } = await composed({ 'a.usdz': usdz, 'on-top.usda': selecting(look!) })
        expect(complaints).toEqual([])
        expect(bound(text).sort()).toEqual([material, 'Box', material].sort())
        expect(text).toContain(sides)
      }
    },
  )

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

  test.each([
    ['Midnight!', 'Night'],
    [1, 'Beach'],
  ] as const)(
    'by name or number: %s is shown first, and the default look remains a variant',
    {
      tags: ['long'],
    },
    async (variant, material) => {
      const { usdz, report } = await convert(await shoe('Plain'), { variant })
      expect(report.variants.filter(({ selected }) => selected)).toMatchObject([{ index: variant === 1 ? 1 : 0 }])
      expect(bound((await composed({ 'a.usdz': usdz })).text).sort()).toEqual([material, 'Box', material].sort())
      const plain = await composed({ 'a.usdz': usdz, 'on-top.usda': selecting('Default') })
      expect(bound(plain.text).sort()).toEqual(['Box', 'Plain', 'Plain'])
    },
  )

  test('that do not exist are an error that names those that do', async () => {
    const refused = {
      code: 'unsupported',
      message: 'There is no variant named "Snow"; available: "Midnight!", "Beach".',
    }
    await expect(convert(await shoe('Plain'), { variant: 'Snow' })).rejects.toMatchObject(refused)
    await expect(convert(await squareGlb(), { variant: 0 })).rejects.toMatchObject({
      message: 'There is no variant number 0; the GLB has no material variants.',
    })
  })

  test.each(profiles)('without the vertex colours of the default materials are noted in %s', async (profile) => {
    const colored = await shoe('Plain', Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0))
    const { report } = await convert(colored, { profile })
    expect(report.notes.map(({ code }) => code)).toContain('variant_colors')
    const white = await shoe('Plain', new Float32Array(12).fill(1))
    expect((await convert(white, { profile })).report.notes.map(({ code }) => code)).not.toContain('variant_colors')
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
