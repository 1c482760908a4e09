import { expect, test } from 'vitest'
import { shownIn } from '../../test/content/shown-variants.ts'
import { material, square, textLayer, textPackage } from '../../test/content/text-package.ts'

const paints = ['Red', 'Blue', 'Green']
  .map((name, at) => material(name, `float inputs:roughness = 0.${at + 1}`))
  .join('')
const paint = (name: string) => `over "Seat" { rel material:binding = </Root/${name}> }`
const inner = `variantSet "inner" = { "red" { ${paint('Red')} } "blue" { ${paint('Blue')} } }`
/** A prim with a variant set in the variant "x" of another one. */
const nested = (outer: 'x' | 'y') => `def Xform "Chair" (
  variants = { string outer = "${outer}"
    string inner = "red" }
  prepend variantSets = "outer"
) {
  ${square('Seat')}
  variantSet "outer" = { "x" ( prepend variantSets = "inner" ) { ${inner} } "y" { ${paint('Green')} } }
}
${paints}`

test('variants of a selected variant are shown, and carried with it', async () => {
  const { names, shown } = await shownIn(textPackage(nested('x')))
  expect(names).toEqual(['outer: x (selected)', 'outer: y', 'inner: red (selected)', 'inner: blue'])
  expect(shown).toEqual([
    { own: 'Red', 'outer: x': 'Red', 'outer: y': 'Green', 'inner: red': 'Red', 'inner: blue': 'Blue' },
  ])
})

test('variants of a variant that is not selected are not shown', async () => {
  const { names, shown } = await shownIn(textPackage(nested('y')))
  expect(names).toEqual(['x', 'y (selected)'])
  expect(shown).toEqual([{ own: 'Green', x: 'Red', y: 'Green' }])
})

test('a variant of a reference replaces the selected one of the prim that refers to it', async () => {
  const part = `def Xform "Chair" (
    references = @part.usda@
    variants = { string color = "red" }
    prepend variantSets = "color"
  ) { variantSet "color" = { "red" { ${paint('Red')} } } }
  ${paints}`
  const file = textLayer(`${square('Seat', 'rel material:binding = </Root/Paint>')} ${material('Paint', '')}
    variantSet "color" = { "red" { } "blue" { over "Paint" { over "Surface" { float inputs:roughness = 0.9 } } } }`)
  const { root, names } = await shownIn(textPackage(part, [{ name: 'part.usda', parts: [Buffer.from(file)] }]))
  expect(names).toEqual(['red (selected)', 'blue'])
  expect(root.listMaterials().map((each) => each.getName())).toEqual(['Red', 'Paint'])
})

test('variants that change a shader outside its material become material variants', async () => {
  const repaint = (name: string, roughness: number) =>
    `"${name}" { over "Library" { over "Surface" { float inputs:roughness = ${roughness} } } }`
  const { root, names } = await shownIn(
    textPackage(`def Xform "Chair" ( variants = { string finish = "matte" } prepend variantSets = "finish" ) {
      ${square('Seat', 'rel material:binding = </Root/Chair/Paint>')}
      def Material "Paint" { token outputs:surface.connect = </Root/Chair/Library/Surface.outputs:surface> }
      def Scope "Library" { def Shader "Surface" { uniform token info:id = "UsdPreviewSurface" } }
      variantSet "finish" = { ${repaint('matte', 0.75)} ${repaint('gloss', 0.25)} }
    }`),
  )
  expect(names).toEqual(['matte (selected)', 'gloss'])
  expect(root.listMaterials().map((each) => each.getRoughnessFactor())).toEqual([0.75, 0.25])
})

test('variants that add more prims than stages may have are left out, with a note', { tags: ['long'] }, async () => {
  const shaders = Array.from({ length: 10_000 }, (_, at) => `def Shader "S${at}" { }`).join('\n')
  const variant = (at: number) => `"v${at}" { ${paint('Blue')} def Scope "Added" ( inherits = </Root/_shaders> ) { } }`
  const variants = Array.from({ length: 60 }, (_, at) => variant(at)).join('\n')
  const { report } = await shownIn(
    textPackage(`class "_shaders" { ${shaders} }
    def Xform "Chair" ( variants = { string color = "none" } prepend variantSets = "color" ) {
      ${square('Seat')}
      variantSet "color" = { "none" { } ${variants} }
    }
    ${paints}`),
  )
  expect([report.variants, report.notes.map(({ code, count }) => [code, count])]).toEqual([[], [['variants', 60]]])
})
