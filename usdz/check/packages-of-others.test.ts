// @module-tag long
import { describe, expect, test } from 'vitest'
import { readCrate } from '../layers/read-crate.ts'
import {
  floatsOf,
  integersOf,
  numberOf,
  pathsOf,
  samplesOf,
  textOf,
  tokensOf,
  vectorOf,
} from '../layers/read-values.ts'
import { buildStage } from '../layers/stage.ts'
import { writePackage } from '../package/zip.ts'
import { crateOf } from '../test/judges/composed.ts'
import { inspectPackage } from './check-package.ts'

const counted = (value: (i: number) => number) => Array.from({ length: 40 }, (_, i) => value(i))
const list = (numbers: readonly number[]) => `[${numbers.join(', ')}]`
const whole = counted((i) => i * i)
const three = counted((i) => (i % 3) + 0.5)

/** One value of each kind with its own encoding in OpenUSD: short and long arrays, small integer vectors, text, lists. */
const layer = `#usda 1.0
(
  defaultPrim = "Root"
  metersPerUnit = 1
  upAxis = "Y"
  startTimeCode = 0
  endTimeCode = 10
)
def Xform "Root" (
  apiSchemas = ["MaterialBindingAPI"]
)
{
  float[] threeFloats = ${list(three)}
  double[] threeDoubles = ${list(three)}
  half[] threeHalfs = ${list(three)}
  float[] wholeFloats = ${list(whole)}
  int[] wholeInts = ${list(whole)}
  int[] fewInts = [3, 1, 2]
  float[] fewFloats = [0.5, 1.5]
  int[] noInts = []
  float3[] points = [(1, 2, 3), (0.5, 0.25, 0.125)]
  token[] names = ["a", "b"]
  float4 small = (2, -2, 2, 1)
  float4 fraction = (0.5, 2, 2, 1)
  matrix4d diagonal = ( (1, 0, 0, 0), (0, 2, 0, 0), (0, 0, 3, 0), (0, 0, 0, 1) )
  quatf turn = (1, 0, 0, 0)
  double deep = 0.1
  int negative = -5
  string text = "grün"
  float moved.timeSamples = { 0: 1, 10: 2.5 }
  float placed
  float placed.connect = </Root.deep>
  rel material:binding = </Root/Paint>

  def Material "Paint"
  {
  }
}
`

describe.each(['0.4.0', '0.5.0', '0.6.0', '0.7.0', '0.8.0', '0.9.0'])('a crate of version %s by OpenUSD', (version) => {
  test('is read as written, and follows the rules in a package', async () => {
    const bytes = await crateOf(layer, version)
    const crate = readCrate(bytes)
    expect(crate.version.join('.')).toBe(version)
    const stage = buildStage(crate)
    const root = stage.tops[0]!
    const value = (name: string) => root.own.get(name)!.value

    for (const name of ['threeFloats', 'threeDoubles', 'threeHalfs']) {
      expect([...floatsOf(crate, value(name))!], name).toEqual(three)
    }
    expect([...floatsOf(crate, value('wholeFloats'))!]).toEqual(whole)
    expect([...integersOf(crate, value('wholeInts'))!]).toEqual(whole)
    expect([...integersOf(crate, value('fewInts'))!]).toEqual([3, 1, 2])
    expect([...floatsOf(crate, value('fewFloats'))!]).toEqual([0.5, 1.5])
    expect([...integersOf(crate, value('noInts'))!]).toEqual([])
    expect([...floatsOf(crate, value('points'))!]).toEqual([1, 2, 3, 0.5, 0.25, 0.125])
    expect(tokensOf(crate, value('names'))).toEqual(['a', 'b'])
    expect(vectorOf(crate, value('small'))).toEqual([2, -2, 2, 1])
    expect(vectorOf(crate, value('fraction'))).toEqual([0.5, 2, 2, 1])
    expect(vectorOf(crate, value('diagonal'))).toEqual([1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1])
    expect(vectorOf(crate, value('turn'))).toEqual([0, 0, 0, 1])
    expect(numberOf(crate, value('deep'))).toBe(0.1)
    expect(numberOf(crate, value('negative'))).toBe(-5)
    expect(textOf(crate, value('text'))).toBe('grün')
    const moved = samplesOf(crate, root.own.get('moved')!.samples)!
    expect(moved.times).toEqual([0, 10])
    expect(moved.values.map((rep) => numberOf(crate, rep))).toEqual([1, 2.5])
    expect(pathsOf(crate, root.own.get('placed')!.fields.get('connectionPaths'))).toEqual(['/Root.deep'])
    expect(pathsOf(crate, root.own.get('material:binding')!.fields.get('targetPaths'))).toEqual(['/Root/Paint'])

    const results = inspectPackage(writePackage([{ name: 'other.usdc', parts: [bytes] }]))
    expect(results.filter(({ state }) => state !== 'passed')).toEqual([])
  })
})

test('a crate of a version before 0.4.0 is reported as unsupported', async () => {
  const results = inspectPackage(writePackage([{ name: 'old.usdc', parts: [await crateOf(layer, '0.0.1')] }]))
  expect(results.find(({ rule }) => rule === 'Layer')!.messages[0]).toContain('version 0.0.1')
})

test("packages of three.js's exporter, which have text layers, are checked by all rules", async () => {
  const { BoxGeometry, Mesh, MeshStandardMaterial, Scene } = await import('three')
  const path = 'three/examples/jsm/exporters/USDZExporter.js'
  const { USDZExporter } = (await import(path)) as {
    USDZExporter: new () => { parseAsync(scene: object): Promise<Uint8Array> }
  }
  const scene = new Scene()
  scene.add(new Mesh(new BoxGeometry(), new MeshStandardMaterial()))
  const results = inspectPackage(await new USDZExporter().parseAsync(scene))
  const inState = (state: string) => results.filter((result) => result.state === state).map(({ rule }) => rule)
  expect(inState('failed')).toEqual(['ARKitRootLayerChecker', 'Extent'])
  expect(inState('unchecked')).toEqual([])
  expect(inState('passed')).toContain('ByteAlignmentChecker')
})
