import { expect, test } from 'vitest'
import { convert } from '../index.ts'
import { givenModel, withJson } from '../test/content/models.ts'
import { composed } from '../test/judges/composed.ts'
import { openUsdz } from '../test/open-usdz.ts'

/** A chair with names that no prim can have, extras, and an asset that names its author and licence. */
async function chair(): Promise<Uint8Array> {
  const model = givenModel()
  const material = model.document.createMaterial('Lack "rot"').setExtras({ article: 17 })
  const mesh = model.mesh('Lehne', model.square(material))
  model.node('Stuhl für Gäste', mesh).setExtras({ room: 'Küche', tags: ['a', 'b'] })
  return withJson(await model.glb(), (json) => {
    const extras = { author: 'Ada', license: 'CC-BY-4.0', 'made in': 2026, tags: { room: 'Küche' } }
    json.asset = { version: '2.0', copyright: '2026 Ada', extras }
  })
}

test('author, licence, original names and extras are in the layer', async () => {
  const { usdz } = await convert(await chair())
  const { tokens } = openUsdz(usdz).stage.crate
  const kept = ['Ada', 'CC-BY-4.0', '2026 Ada', '2026', 'Stuhl für Gäste', 'Lack "rot"']
  expect(kept.filter((text) => !tokens.includes(text))).toEqual([])
  expect(tokens).toContain('{"room":"Küche","tags":["a","b"]}')
  expect(tokens).toContain('{"article":17}')
  expect(tokens).toContain('{"room":"Küche"}')
})

test('extras without a place are named in notes: of other elements, and too long ones', async () => {
  const codes = async (edit: (json: Json) => void) => {
    const { report } = await convert(withJson(await chair(), (json) => edit(json as Json)))
    return report.notes.map(({ code, effect, message }) => `${code} ${effect}: ${message}`)
  }
  const ofOthers = await codes(({ scenes, meshes }) => {
    scenes[0]!.extras = { weather: 'fair' }
    meshes[0]!.primitives[0]!.extras = { a: 1 }
  })
  expect(ofOthers).toEqual(['extras left_out: Extras of scenes and primitives are left out.'])
  const long = await codes(({ nodes }) => (nodes[0]!.extras = { story: 'x'.repeat(10_000) }))
  expect(long).toEqual(['extras left_out: Extras of more than 10000 characters are left out.'])
  // Names of morph targets are carried.
  const names = await codes(({ meshes }) => (meshes[0]!.primitives[0]!.extras = { targetNames: ['a'] }))
  expect(names).toEqual([])
})

type Extras = { extras?: object }
type Json = { scenes: Extras[]; nodes: Extras[]; meshes: { primitives: Extras[] }[] }

test('OpenUSD reads them as customData and customLayerData', { tags: ['long'] }, async () => {
  const { usdz } = await convert(await chair())
  const { text, complaints } = await composed({ 'chair.usdz': usdz })
  expect(complaints).toEqual([])
  for (const line of [
    'string author = "Ada"',
    'string license = "CC-BY-4.0"',
    'string "made in" = "2026"',
    'string gltfName = "Stuhl für Gäste"',
    'string gltfName = \'Lack "rot"\'',
    'string gltfExtras = \'{"article":17}\'',
  ]) {
    expect(text).toContain(line)
  }
  // A prim with the name of its element needs no other one.
  expect(text).not.toContain('gltfName = "Lehne"')
})

test.each([
  [{}, 2],
  [{ preferredIblVersion: 1 } as const, 1],
])(
  'OpenUSD reads the light in AR Quick Look that the options %o ask for',
  { tags: ['long'] },
  async (options, version) => {
    const { usdz } = await convert(await chair(), options)
    const { text } = await composed({ 'chair.usdz': usdz })
    expect(text).toMatch(new RegExp(`dictionary Apple = {\\s+int preferredIblVersion = ${version}\\s+}`))
  },
)
