import { expect, test } from 'vitest'
import { broken, changed, floats, perPoint, put, rootFile, skin, two } from '../../test/content/broken-packages.ts'
import { packageOf, prim, wholeLayer } from '../../test/content/packages.ts'
import { attribute, relationship } from '../../usd/prim.ts'
import { inspectPackage } from '../check-package.ts'
import { type RuleName, rules } from './rules.ts'

test('a correct package passes every rule', () => {
  expect(inspectPackage(packageOf(wholeLayer())).filter(({ state }) => state !== 'passed')).toEqual([])
})

test.each(broken)('%s: %s', (rule, _, usdz) => {
  const result = inspectPackage(usdz).find((one) => one.rule === rule)
  expect(result).toMatchObject({ rule, state: 'failed' })
  expect(result!.messages.length).toBeGreaterThan(0)
})

test('every rule is broken once in this test', () => {
  expect([...new Set(broken.map(([rule]) => rule))].sort()).toEqual(Object.keys(rules).sort())
})

/** Findings that may be intended or concern a single viewer are warnings. */
test.each<[RuleName, string, Uint8Array]>([
  [
    'NormalMapTextureChecker',
    'bumps with another strength',
    put(
      '/Root/Paint/Bumps',
      attribute('inputs:scale', 'float4', [1, 1, 2, 1]),
      attribute('inputs:bias', 'float4', [-0.5, -0.5, -1, 0]),
    ),
  ],
  [
    'SkelBinding',
    'weights that do not add up',
    put(skin, attribute('primvars:skel:jointWeights', 'float[]', floats(1, 0.5, 1), perPoint)),
  ],
  [
    'TimeSamples',
    'motion after the end',
    put('/Root', attribute('a', 'float[]', floats(1), two('float[]', [0, 90], floats(1), floats(2)))),
  ],
])('%s warns: %s', (rule, _, usdz) => {
  expect(inspectPackage(usdz).filter(({ state }) => state !== 'passed')).toMatchObject([{ rule, state: 'warned' }])
})

test('unreadable content is not reported as correct', () => {
  const states = new Map(
    inspectPackage(rootFile('model.usda', '#usda 1.0\ndef')).map(({ rule, state }) => [rule, state]),
  )
  expect(states.get('ARKitRootLayerChecker')).toBe('failed')
  expect(states.get('StageMetadataChecker')).toBe('unchecked')
  expect(states.get('CompressionChecker')).toBe('passed')
})

test('bindings in a variant are checked like others', () => {
  const variants = (target: string) =>
    changed('/Root', (root) => {
      const over = prim('Body', '', {
        specifier: 'over',
        children: [prim('Skin', '', { specifier: 'over', properties: [relationship('material:binding', target)] })],
      })
      root.variantSets = [
        {
          name: 'look',
          selected: 'red',
          variants: ['red', 'blue'].map((name) => ({ name, properties: [], children: [over] })),
        },
      ]
    })
  const failed = (usdz: Uint8Array) => inspectPackage(usdz).filter(({ state }) => state !== 'passed')
  expect(failed(variants('/Root/Paint'))).toEqual([])
  expect(failed(variants('/Root/Body'))).toMatchObject([{ rule: 'ARKitMaterialBindingChecker', state: 'failed' }])
})
