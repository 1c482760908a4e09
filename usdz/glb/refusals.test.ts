import { describe, expect, test } from 'vitest'
import { ConversionError, convertToGlb } from '../index.ts'
import { writePackage } from '../package/zip.ts'
import { broken, changed, floats, put, skin } from '../test/content/broken-packages.ts'
import { packageOf, prim, wholeLayer } from '../test/content/packages.ts'
import { square, textPackage } from '../test/content/text-package.ts'
import { attribute, port, relationship, storedValue } from '../usd/prim.ts'

const ints = (...numbers: number[]) => Int32Array.from(numbers)
const refusal = async (usdz: Uint8Array, limits = {}) => {
  const error: unknown = await convertToGlb(usdz, { limits }).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof ConversionError ? [error.code, error.message] : error
}

describe('a package that cannot be converted to GLB is refused with its cause', () => {
  test.each([
    ['no archive', new Uint8Array(100), 'malformed', /not a ZIP archive/],
    ['an empty archive', writePackage([]), 'malformed', /empty/],
    [
      'no layer',
      writePackage([{ name: 'a.usdc', parts: [new Uint8Array(100)] }]),
      'malformed',
      /a.usdc cannot be read: It is not a USD layer/,
    ],
    ['two files of one name', packageOf(wholeLayer(), { name: 'model.usdc', parts: [] }), 'malformed', /same name/],
    [
      'a point that is not there',
      put(skin, attribute('faceVertexIndices', 'int[]', ints(0, 1, 3))),
      'malformed',
      /point 3/,
    ],
    ['corners too few', put(skin, attribute('faceVertexIndices', 'int[]', ints(0, 1))), 'malformed', /3 corners and 2/],
    [
      'a point nowhere',
      put(skin, attribute('points', 'point3f[]', floats(0, 0, 0, 1, Number.NaN, 0, 0, 1, 0))),
      'malformed',
      /not finite/,
    ],
    [
      'a place beyond single precision',
      put(
        '/Root/Body/Bones',
        attribute('bindTransforms', 'matrix4d[]', Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1e300, 0, 0, 1), {
          uniform: true,
        }),
      ),
      'malformed',
      /too large/,
    ],
    [
      'a joint that is not there',
      put(
        skin,
        attribute('primvars:skel:jointIndices', 'int[]', ints(0, 7, 0), { interpolation: 'vertex', elementSize: 1 }),
      ),
      'malformed',
      /joint 7/,
    ],
    [
      'a blend shape of a point that is not there',
      put(`${skin}/Smile`, attribute('pointIndices', 'int[]', ints(9))),
      'malformed',
      /point 9/,
    ],
    [
      'time that goes back',
      put(
        '/Root/Body/Move',
        attribute('rotations', 'quatf[]', floats(0, 0, 0, 1), {
          samples: {
            times: [60, 0],
            values: [floats(0, 0, 0, 1), floats(0, 0, 1, 0)].map((value) => storedValue('quatf[]', value)),
          },
        }),
      ),
      'malformed',
      /do not ascend/,
    ],
  ])('%s', async (_name, usdz, code, cause) => {
    expect(await refusal(usdz)).toEqual([code, expect.stringMatching(cause)])
  })

  test('a file above the limits of bytes or triangles', async () => {
    expect(await refusal(packageOf(wholeLayer()), { bytes: 10 })).toEqual([
      'too_large',
      expect.stringContaining('10 are'),
    ])
    expect(await refusal(packageOf(wholeLayer()), { triangles: 0 })).toEqual([
      'too_large',
      expect.stringMatching(/^\/Root\/\S+ has 1 triangles; at most 0 more/),
    ])
  })

  test('more meshes or blend shapes than a GLB may have', { tags: ['long'] }, async () => {
    const list = (count: number, of: (at: number) => string) => Array.from({ length: count }, (_, at) => of(at))
    const subsets = square('Parts')
      .replace('[4]', `[${list(25_001, () => '4')}]`)
      .replace('[0, 1, 2, 3]', `[${list(25_001, () => '0, 1, 2, 3')}]`)
      .replace(
        /}\s*$/,
        `${list(
          25_001,
          (at) => `def GeomSubset "S${at}" {
        int[] indices = [${at}]
        rel material:binding = </Root/Paint>
      }`,
        ).join('\n')}}`,
      )
    expect(await refusal(textPackage(subsets))).toEqual(['too_large', expect.stringContaining('25000 meshes')])
    const shapes = `def BlendShape "Up" { uniform vector3f[] offsets = [(0, 0, 1)]\n uniform int[] pointIndices = [0] }
    ${square(
      'Face',
      `uniform token[] skel:blendShapes = [${list(20_001, (at) => `"s${at}"`)}]
    rel skel:blendShapeTargets = [${list(20_001, () => '</Root/Up>')}]`,
    )}`
    expect(await refusal(textPackage(shapes))).toEqual(['too_large', expect.stringContaining('20000 blend shapes')])
  })

  test('prims in prims, deeper than any scene', async () => {
    const layer = wholeLayer()
    let deep = layer.prims[0]!
    for (let depth = 0; depth < 600; depth++) {
      const child = prim('Deeper', 'Xform')
      deep.children.push(child)
      deep = child
    }
    expect(await refusal(packageOf(layer))).toEqual(['too_large', expect.stringContaining('500 deep')])
  })

  test('every broken package of the checks is converted or refused, and never fails otherwise', async () => {
    for (const [rule, how, usdz] of broken) {
      const outcome = await refusal(usdz)
      if (outcome !== undefined) expect(outcome, `${rule}: ${how}`).toEqual([expect.any(String), expect.any(String)])
    }
  })

  test('a package cut off anywhere is refused', async () => {
    const whole = packageOf(wholeLayer())
    for (let length = 0; length < whole.length; length += 97) {
      expect(await refusal(whole.subarray(0, length)), `${length} bytes`).toEqual(['malformed', expect.any(String)])
    }
  })

  test('a shader network that is a cycle ends', async () => {
    const usdz = changed('/Root/Paint', (paint) => {
      const path = '/Root/Paint'
      paint.properties.push(
        port('inputs:a', 'color3f', `${path}.inputs:b`),
        port('inputs:b', 'color3f', `${path}.inputs:a`),
      )
      paint.children[0]!.properties.push(port('inputs:diffuseColor', 'color3f', `${path}.inputs:a`))
    })
    const { report } = await convertToGlb(usdz)
    expect(report.notes.map(({ code }) => code)).toContain('shader')
  })

  test('a material with graphs in graphs ends', async () => {
    const usdz = changed('/Root/Paint', (paint) => {
      let deep = paint
      for (let depth = 0; depth < 100; depth++) {
        const graph = prim('Graph', 'NodeGraph')
        deep.children.push(graph)
        deep = graph
      }
    })
    expect((await convertToGlb(usdz)).report.materials).toBe(1)
  })

  test('a skeleton that is its own animation, and a mesh bound to itself, are left out', async () => {
    const usdz = put(skin, relationship('skel:skeleton', skin), relationship('material:binding', skin))
    const { report } = await convertToGlb(usdz)
    expect([report.skins, report.notes.map(({ code }) => code)]).toEqual([0, expect.arrayContaining(['skin'])])
  })
})
