import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCrate } from '../../layers/read-crate.ts'
import { floatsOf, integersOf, lengthOf, numberOf, pathsOf, textOf, tokensOf } from '../../layers/read-values.ts'
import { attribute, type Layer, type Prim, port, relationship } from '../prim.ts'
import { fromHalfBits, halfBits } from './half.ts'
import { writeCrate } from './write-crate.ts'

const prim = (name: string, properties: Prim['properties'] = [], children: Prim[] = []): Prim => ({
  name,
  typeName: 'Xform',
  properties,
  children,
})
const layer = (...prims: Prim[]): Layer => ({ metadata: [], prims })
const write = (written: Layer) => Buffer.concat(writeCrate(written))
const read = (written: Layer) => {
  const crate = readCrate(write(written))
  const field = (path: string, name = 'default') => crate.specs.find((spec) => spec.path === path)?.fields.get(name)
  return { crate, field }
}

test('a crate has the prims and properties of its layer, in order', () => {
  const inner = prim('Inner', [attribute('a', 'int', 1)], [prim('Deep')])
  const { crate, field } = read(
    layer(prim('Root', [attribute('a', 'int', 1), port('b', 'token')], [inner, prim('Last')])),
  )

  expect(crate.specs.map((spec) => spec.path)).toEqual([
    '/',
    '/Root',
    '/Root.a',
    '/Root.b',
    '/Root/Inner',
    '/Root/Inner.a',
    '/Root/Inner/Deep',
    '/Root/Last',
  ])
  expect(tokensOf(crate, field('/Root', 'properties'))).toEqual(['a', 'b'])
  expect(tokensOf(crate, field('/Root', 'primChildren'))).toEqual(['Inner', 'Last'])
})

test('values of every type are read back as written', () => {
  const ints = Int32Array.from({ length: 100 }, (_, i) => (i * 7919) % 1000)
  const properties = [
    attribute('token', 'token', 'Y'),
    attribute('string', 'string', 'grün'),
    attribute('asset', 'asset', 'textures/a.png'),
    attribute('bool', 'bool', true),
    attribute('int', 'int', -5),
    attribute('float', 'float', 0.1),
    attribute('double', 'double', 0.1),
    attribute('wholeDouble', 'double', 0.5),
    attribute('tokens', 'token[]', ['one', 'two']),
    attribute('few', 'int[]', Int32Array.of(3, 1, 2)),
    attribute('many', 'int[]', ints),
    attribute('none', 'int[]', new Int32Array()),
    attribute('points', 'point3f[]', Float32Array.of(1, 2, 3, -4, 5.5, 6)),
    port('connected', 'float', '/Root.float'),
    relationship('related', '/Root'),
  ]
  const { crate, field } = read(layer(prim('Root', properties)))

  expect(textOf(crate, field('/Root.token'))).toBe('Y')
  expect(textOf(crate, field('/Root.string'))).toBe('grün')
  expect(textOf(crate, field('/Root.asset'))).toBe('textures/a.png')
  expect(numberOf(crate, field('/Root.bool'))).toBe(1)
  expect(numberOf(crate, field('/Root.int'))).toBe(-5)
  expect(numberOf(crate, field('/Root.float'))).toBe(Math.fround(0.1))
  expect(numberOf(crate, field('/Root.double'))).toBe(0.1)
  expect(numberOf(crate, field('/Root.wholeDouble'))).toBe(0.5)
  expect(tokensOf(crate, field('/Root.tokens'))).toEqual(['one', 'two'])
  expect(integersOf(crate, field('/Root.few'))).toEqual(Int32Array.of(3, 1, 2))
  expect(integersOf(crate, field('/Root.many'))).toEqual(ints)
  expect(lengthOf(crate, field('/Root.none'))).toBe(0)
  expect(floatsOf(crate, field('/Root.points'))).toEqual(Float32Array.of(1, 2, 3, -4, 5.5, 6))
  expect(textOf(crate, field('/Root.points', 'typeName'))).toBe('point3f[]')
  expect(pathsOf(crate, field('/Root.connected', 'connectionPaths'))).toEqual(['/Root.float'])
  expect(pathsOf(crate, field('/Root.related', 'targetPaths'))).toEqual(['/Root'])
})

test('equal arrays are stored once, even if they are different objects', () => {
  const points = () => Float32Array.from({ length: 30_000 }, (_, i) => Math.sin(i))
  const other = points()
  other[15_000] = 2
  const one = prim('One', [attribute('points', 'point3f[]', points())])
  const two = prim('Two', [attribute('points', 'point3f[]', points())])
  const three = prim('Three', [attribute('points', 'point3f[]', other)])

  expect(write(layer(one, two)).length - write(layer(one)).length).toBeLessThan(500)
  const { crate, field } = read(layer(one, two, three))
  expect(floatsOf(crate, field('/Three.points'))).toEqual(other)
})

test('a connection to a missing target throws instead of writing a broken file', () => {
  expect(() => write(layer(prim('Root', [port('in', 'float', '/Nowhere.out')])))).toThrow('/Nowhere.out')
})

test('half-precision numbers are the nearest ones', () => {
  for (let bits = 0; bits < 0x7c00; bits++) expect(halfBits(fromHalfBits(bits))).toBe(bits)
  expect(halfBits(-1)).toBe(0xbc00)
  expect(halfBits(1 + 2 ** -11)).toBe(0x3c00) // halfway: to the even one
  expect(halfBits(1 + 3 * 2 ** -11)).toBe(0x3c02)
  expect(halfBits(65519)).toBe(0x7bff)
  expect(halfBits(65520)).toBe(0x7c00)
  expect(halfBits(Number.NaN)).toBe(0x7e00)
})

test('single-precision numbers are compressed if that makes them smaller, without loss', {
  tags: ['long'],
}, () => {
  const numbers = fc.oneof(
    fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: 200 }),
    fc.array(fc.constantFrom(0, -0, 0.25, 1 / 3, Number.MAX_VALUE, Number.NaN), { maxLength: 200 }),
    fc.array(fc.float(), { maxLength: 200 }),
  )
  fc.assert(
    fc.property(numbers, (list) => {
      const values = Float32Array.from(list)
      const { crate, field } = read(layer(prim('Root', [attribute('a', 'float[]', values)])))
      expect(floatsOf(crate, field('/Root.a'))).toEqual(values)
    }),
  )
  const size = (values: Float32Array) => write(layer(prim('Root', [attribute('a', 'float[]', values)]))).length
  const rigid = Float32Array.from({ length: 40_000 }, (_, i) => (i % 4 === 0 ? 1 : 0))
  const few = Float32Array.from({ length: 40_000 }, (_, i) => [0.1, 0.2, 0.7][i % 3]!)
  const many = Float32Array.from({ length: 40_000 }, (_, i) => Math.sin(i))
  expect(size(rigid)).toBeLessThan(5000)
  expect(size(few)).toBeLessThan(40_000)
  expect(size(many)).toBeGreaterThan(160_000)
})
