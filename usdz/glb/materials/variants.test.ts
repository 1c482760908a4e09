import { expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { shownIn } from '../../test/content/shown-variants.ts'
import { material, square, textPackage } from '../../test/content/text-package.ts'
import { features } from '../../test/features/all.ts'

const paints = ['Red', 'Blue'].map((name, at) => material(name, `color3f inputs:diffuseColor = (${1 - at}, 0, ${at})`))
const binding = (mesh: string, name: string, more = '') =>
  `over "${mesh}" { rel material:binding = </Root/${name}>\n ${more} }`
const variantSet = (set: string, variants: Record<string, string>) =>
  `variantSet "${set}" = { ${Object.entries(variants)
    .map(([name, contents]) => `"${name}" { ${contents} }`)
    .join('\n')} }`
/** A prim with variant sets around what it has itself. */
const chair = (
  sets: Record<string, Record<string, string>>,
  selected: string,
  own = square('Seat'),
) => `def Xform "Chair" (
  variants = { ${selected} }
  prepend variantSets = [${Object.keys(sets).map((set) => `"${set}"`)}]
) {
  ${own}
  ${Object.entries(sets)
    .map(([set, variants]) => variantSet(set, variants))
    .join('\n')}
}
${paints.join('\n')}`

const color = { red: binding('Seat', 'Red'), blue: binding('Seat', 'Blue') }

test('variants that bind materials become material variants, the selected one first', async () => {
  const { names, shown, codes } = await shownIn(textPackage(chair({ color }, 'string color = "blue"')))
  expect(names).toEqual(['red', 'blue (selected)'])
  expect(shown).toEqual([{ own: 'Blue', red: 'Red', blue: 'Blue' }])
  expect(codes).toEqual([])
})

test('variants that change a material itself become material variants', async () => {
  const repaint = (value: string) => `over "Paint" { over "Surface" { color3f inputs:diffuseColor = ${value} } }`
  const paint = `def Material "Paint" {
  token outputs:surface.connect = </Root/Chair/Paint/Surface.outputs:surface>
  def Shader "Surface" { uniform token info:id = "UsdPreviewSurface"\n token outputs:surface }
}`
  const own = square('Seat', 'rel material:binding = </Root/Chair/Paint>') + paint
  const sets = { color: { red: repaint('(1, 0, 0)'), blue: repaint('(0, 0, 1)') } }
  const { root, names } = await shownIn(textPackage(chair(sets, 'string color = "red"', own)))
  expect(names).toEqual(['red (selected)', 'blue'])
  expect(root.listMaterials().map((each) => each.getBaseColorFactor().slice(0, 3))).toEqual([
    [1, 0, 0],
    [0, 0, 1],
  ])
})

test('prims with a variant set of the same name change together, and other meshes do not', async () => {
  const one = chair({ color }, 'string color = "red"')
  const second = one.slice(0, one.indexOf('def Material')).replace('"Chair"', '"Other"')
  const plain = square('Floor', 'rel material:binding = </Root/Red>')
  const { shown } = await shownIn(textPackage(one + second + plain))
  expect(shown).toEqual([
    { own: 'Red', red: 'Red', blue: 'Blue' },
    { own: 'Red', red: 'Red', blue: 'Red' },
  ])
})

test('meshes with different materials in a variant do not become instances of one', async () => {
  const own = square('Seat') + square('Back')
  const sets = {
    color: { red: binding('Seat', 'Red') + binding('Back', 'Red'), two: color.blue + binding('Back', 'Red') },
  }
  const { shown } = await shownIn(textPackage(chair(sets, 'string color = "red"', own)))
  expect(shown).toEqual([
    { own: 'Red', red: 'Red', two: 'Blue' },
    { own: 'Red', red: 'Red', two: 'Red' },
  ])
})

test('variants of several sets are shown with the selected ones of the others', async () => {
  const sets = { color, back: { plain: '', blue: binding('Back', 'Blue') } }
  const own = square('Seat') + square('Back')
  const { names, shown, codes } = await shownIn(
    textPackage(chair(sets, 'string color = "red"\nstring back = "plain"', own)),
  )
  expect(names).toEqual(['color: red (selected)', 'color: blue', 'back: plain (selected)', 'back: blue'])
  expect(shown[1]).toMatchObject({ own: 'Default', 'back: blue': 'Blue', 'color: blue': 'Default' })
  expect(codes).toEqual(['variants'])
})

test.each([
  ['adds a mesh', `${color.blue}\n${square('Cushion')}`],
  ['hides a mesh', binding('Seat', 'Blue', 'token visibility = "invisible"')],
  ['moves points', binding('Seat', 'Blue', 'point3f[] points = [(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0)]')],
  ['refers to what is missing', `${color.blue}\ndef "Leg" ( references = @none.usda@ ) { }`],
])('a set with a variant that %s is left out, with a note', async (_, blue) => {
  const { report, shown } = await shownIn(textPackage(chair({ color: { ...color, blue } }, 'string color = "red"')))
  expect([report.variants, shown]).toEqual([[], [{ own: 'Red' }]])
  expect(report.notes).toContainEqual(expect.objectContaining({ code: 'variants', effect: 'left_out', count: 1 }))
})

test('variants over meshes of a reference are carried, in whatever order they name them', async () => {
  const part = `def "Chair" ( references = </Root/_part>\n variants = { string color = "red" }\n prepend variantSets = "color" ) {
    ${variantSet('color', { red: '', blue: binding('Seat', 'Blue') + binding('Back', 'Blue') })}
  }
  class "_part" { ${square('Back', 'rel material:binding = </Root/Red>')} ${square('Seat')} }
  ${paints.join('\n')}`
  const { shown } = await shownIn(textPackage(part))
  expect(shown.map((each) => Object.entries(each).at(-1))).toEqual([
    ['blue', 'Blue'],
    ['blue', 'Blue'],
  ])
})

test('a variant set that changes nothing leaves nothing', async () => {
  const { root, report } = await shownIn(textPackage(chair({ color: { a: '', b: '' } }, 'string color = "a"')))
  expect([report.variants, root.listExtensionsUsed()]).toEqual([[], []])
})

test('more variants than a GLB may have are left out, with a note', async () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`v${at}`, color.blue]))
  const { report } = await shownIn(textPackage(chair({ color: many }, 'string color = "v0"')))
  expect(report.variants).toEqual([])
  expect(report.notes.map(({ code, count }) => [code, count])).toEqual([['variants', 100]])
})

test.each(['quicklook', 'spec', 'realitykit'] as const)(
  'material variants survive USDZ (%s) and back',
  async (profile) => {
    const feature = features['Material extensions']!.find(({ name }) => name === '`KHR_materials_variants`')!
    const { usdz, report: there } = await convert(await feature.glb(), { profile })
    const { report, shown, codes } = await shownIn(usdz)
    expect(report.variants.map(({ name }) => name)).toEqual(
      expect.arrayContaining(there.variants.map(({ name }) => name)),
    )
    const [first] = shown
    expect(new Set(Object.values(first!)).size).toBeGreaterThan(1)
    expect(codes).not.toContain('variants')
  },
)
