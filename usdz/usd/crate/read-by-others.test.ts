// @module-tag long
import { expect, test } from 'vitest'
import { writePackage } from '../../package/zip.ts'
import { composed } from '../../test/judges/composed.ts'
import { attribute, type Layer, type Prim, relationship, storedValue, type Value } from '../prim.ts'
import { writeCrate } from './write-crate.ts'

const prim = (name: string, typeName: string, rest: Partial<Prim> = {}): Prim => ({
  name,
  typeName,
  properties: [],
  children: [],
  ...rest,
})
const times = [0, 1.5, 60]
const samples = (type: string, ...values: Value['value'][]) => ({
  samples: { times, values: values.map((value) => storedValue(type, value)) },
})
const floats = (...numbers: number[]) => Float32Array.from(numbers)
const packed = (layer: Layer) => writePackage([{ name: 'model.usdc', parts: writeCrate(layer) }])
/** As OpenUSD prints it, without layout. */
const plain = (text: string) => text.replace(/\s+/g, ' ')

const metadata: Layer['metadata'] = [
  { name: 'defaultPrim', value: { type: 'token', value: 'Root' } },
  { name: 'endTimeCode', value: { type: 'double', value: 60 } },
  { name: 'documentation', value: { type: 'string', value: 'About' } },
  {
    name: 'customLayerData',
    value: {
      type: 'dictionary',
      value: {
        creator: { type: 'string', value: 'grün' },
        inner: { type: 'dictionary', value: { x: { type: 'double', value: 0.1 } } },
      },
    },
  },
]

test('OpenUSD reads values of every type, including time samples, as written', async () => {
  const properties: Prim['properties'] = [
    attribute('one', 'quatf', [0.1, 0.2, 0.3, 0.9], samples('quatf', [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0])),
    attribute('turns', 'quatf[]', floats(0, 0, 0, 1), samples('quatf[]', floats(1, 0, 0, 0), floats(0, 1, 0, 0))),
    attribute('sizes', 'half3[]', floats(1, 0.5, 0.1, 1e-6, 70000, -2)),
    attribute(
      'binds',
      'matrix4d[]',
      Float64Array.from({ length: 16 }, (_, i) => i / 4),
    ),
    attribute(
      'coded',
      'float[]',
      Float32Array.from({ length: 32 }, (_, i) => (i % 4) * 2),
    ),
    attribute(
      'tabled',
      'float[]',
      Float32Array.from({ length: 32 }, (_, i) => (i % 2) + 0.5),
    ),
    attribute('four', 'float4[]', floats(1, 2, 3, 4)),
    attribute('doubles', 'double[]', Float64Array.of(1 / 3, 2)),
    attribute('joints', 'int[]', Int32Array.of(0, 1, 2, 3), { interpolation: 'vertex', elementSize: 2 }),
    attribute('place', 'float3', [1, 2, 3], samples('float3', [1, 2, 3], [4, 5, 6], [7, 8, 9])),
    attribute('offsets', 'vector3f[]', floats(1, 2, 3)),
    attribute('names', 'token[]', ['a', 'b/c'], { uniform: true }),
    attribute('none', 'token[]', [], { uniform: true }),
    relationship('many', '/Root', '/Root.one'),
  ]
  const root = prim('Root', 'Xform', {
    metadata: [{ name: 'customData', value: { type: 'dictionary', value: { k: { type: 'int', value: -3 } } } }],
    properties: properties.map((property) =>
      'samples' in property && property.samples?.values.length === 2
        ? { ...property, samples: { ...property.samples, times: [0, 1] } }
        : property,
    ),
  })
  const { text, complaints } = await composed({ 'a.usdz': packed({ metadata, prims: [root] }) })

  expect(complaints).toEqual([])
  for (const line of [
    'quatf one = (0.9, 0.1, 0.2, 0.3)',
    'one.timeSamples = { 0: (1, 0, 0, 0), 1.5: (0, 1, 0, 0), 60: (0, 0, 1, 0), }',
    'quatf[] turns = [(1, 0, 0, 0)]',
    'turns.timeSamples = { 0: [(0, 1, 0, 0)], 1: [(0, 0, 1, 0)], }',
    'half3[] sizes = [(1, 0.5, 0.0999756), (1.01328e-06, inf, -2)]',
    'matrix4d[] binds = [( (0, 0.25, 0.5, 0.75), (1, 1.25, 1.5, 1.75), (2, 2.25, 2.5, 2.75), (3, 3.25, 3.5, 3.75) )]',
    `float[] coded = [${Array.from({ length: 32 }, (_, i) => (i % 4) * 2).join(', ')}]`,
    `float[] tabled = [${Array.from({ length: 32 }, (_, i) => (i % 2) + 0.5).join(', ')}]`,
    'float4[] four = [(1, 2, 3, 4)]',
    'double[] doubles = [0.3333333333333333, 2]',
    'int[] joints = [0, 1, 2, 3] ( elementSize = 2 interpolation = "vertex" )',
    'float3 place = (1, 2, 3)',
    'place.timeSamples = { 0: (1, 2, 3), 1.5: (4, 5, 6), 60: (7, 8, 9), }',
    'vector3f[] offsets = [(1, 2, 3)]',
    'uniform token[] names = ["a", "b/c"]',
    'uniform token[] none = []',
    'rel many = [ </Root>, </Root.one>, ]',
    'customData = { int k = -3 }',
    'creator = "grün"',
    'dictionary inner = { double x = 0.1 }',
    'doc = """About',
    'endTimeCode = 60',
  ]) {
    expect(plain(text)).toContain(line)
  }
})

test('OpenUSD shows the selected variant, or the one that a stronger layer selects', async () => {
  const look = (name: string): Prim =>
    prim('Part', '', { specifier: 'over', properties: [relationship('material:binding', `/Root/Materials/${name}`)] })
  const root = prim('Root', 'Xform', {
    variantSets: [
      {
        name: 'look',
        selected: 'B',
        variants: ['A', 'B'].map((name) => ({ name, properties: [], children: [look(name)] })),
      },
    ],
    children: [
      prim('Materials', 'Scope', { children: [prim('A', 'Material'), prim('B', 'Material')] }),
      prim('Part', 'Xform', { apiSchemas: ['MaterialBindingAPI'], properties: [attribute('own', 'int', 1)] }),
    ],
  })
  const usdz = packed({ metadata, prims: [root] })
  const selecting = '#usda 1.0\ndef "Root" (\nreferences = @a.usdz@\nvariants = { string look = "A" }\n) {}'

  expect((await composed({ 'a.usdz': usdz })).text).toContain('material:binding = </Root/Materials/B>')
  const { text, complaints } = await composed({ 'a.usdz': usdz, 'on-top.usda': selecting })
  expect(text).toContain('material:binding = </Root/Materials/A>')
  expect(text).toContain('int own = 1')
  expect(complaints).toEqual([])
})

test('three.js reads compressed floating-point numbers as written', async () => {
  const path = 'three/examples/jsm/loaders/usd/USDCParser.js'
  type Parsed = { specsByPath: Record<string, { fields: { default: Float32Array } }> }
  const { USDCParser } = (await import(path)) as { USDCParser: new () => { parseData(data: ArrayBuffer): Parsed } }
  const coded = Float32Array.from({ length: 32 }, (_, i) => (i % 4) * 2)
  const tabled = Float32Array.from({ length: 32 }, (_, i) => (i % 2) + 0.5)
  const root = prim('Root', 'Xform', {
    properties: [attribute('coded', 'float[]', coded), attribute('tabled', 'float[]', tabled)],
  })
  const bytes = Uint8Array.from(Buffer.concat(writeCrate({ metadata, prims: [root] })))
  const { specsByPath } = new USDCParser().parseData(bytes.buffer)
  expect(specsByPath['/Root.coded']!.fields.default).toEqual(coded)
  expect(specsByPath['/Root.tabled']!.fields.default).toEqual(tabled)
})
