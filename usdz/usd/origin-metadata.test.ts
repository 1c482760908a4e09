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
    const extras = { author: 'Ada', license: 'CC-BY-4.0', 'made in': 2026, more: { ignored: true } }
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
})

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
