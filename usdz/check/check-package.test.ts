import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkPackage, convert, fixPackage } from '../index.ts'
import { readZip } from '../layers/read-zip.ts'
import { writePackage } from '../package/zip.ts'
import { deflated } from '../test/content/deflated-package.ts'
import { image, squareGlb } from '../test/content/models.ts'
import { packageOf, prim, wholeLayer } from '../test/content/packages.ts'
import { textPackage } from '../test/content/text-package.ts'
import { writeCrate } from '../usd/crate/write-crate.ts'
import { attribute } from '../usd/prim.ts'
import { inspectPackage } from './check-package.ts'
import { rules } from './rules/rules.ts'

const rulesOf = (usdz: Uint8Array) => [...new Set(checkPackage(usdz).map(({ rule }) => rule))]
const ruleCount = Object.keys(rules).length

describe('the package check', () => {
  test('finds nothing wrong in converted packages', async () => {
    expect(checkPackage((await convert(await squareGlb())).usdz)).toEqual([])
  })

  test('reports only the broken rules, with their location', () => {
    const layer = wholeLayer()
    layer.prims[0]!.children.push(prim('Lamp', 'SphereLight'))
    expect(checkPackage(packageOf(layer))).toEqual([
      { rule: 'ARKitPrimTypeChecker', message: '/Root/Lamp is a SphereLight.' },
    ])
  })

  test('reports bytes that are not a package, without throwing', async () => {
    expect(rulesOf(new Uint8Array())).toEqual(['Archive'])
    expect(rulesOf(await squareGlb())).toEqual(['Archive'])
    const zeros = writePackage([{ name: 'model.usdc', parts: [new Uint8Array(200)] }])
    expect(rulesOf(zeros)).toEqual(['ARKitLayerChecker', 'Layer'])
  })

  test('reports a compressed layer as compressed, not as damaged', async () => {
    const { usdz } = await convert(await squareGlb())
    const rules = rulesOf(deflated('model.usdc', readZip(usdz)[0]!.data))
    expect(rules).toEqual(['ByteAlignmentChecker', 'CompressionChecker'])
  })

  test('names a file whose name differs from its reference by capital letters', async () => {
    const text = textPackage(`asset a = @photo.png@`, [{ name: 'Photo.png', parts: [await image([255, 0, 0])] }])
    expect(checkPackage(text)).toContainEqual({
      rule: 'MissingReferenceChecker',
      message: expect.stringMatching(/names photo\.png, which is not in the package: Photo\.png has other capital/),
    })
  })

  test('reports the first findings of a kind, and the number of the others', () => {
    const layer = wholeLayer()
    for (let i = 0; i < 50; i++) layer.prims[0]!.children.push(prim(`Lamp${i}`, 'SphereLight'))
    const problems = checkPackage(packageOf(layer))
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)!.message).toBe('30 more findings of this kind.')
  })
})

describe('checks and repairs hostile packages', () => {
  const whole = packageOf(wholeLayer())
  const { offset, data } = readZip(whole)[0]!
  const judged = (usdz: Uint8Array) => {
    expect(inspectPackage(usdz)).toHaveLength(ruleCount)
    fixPackage(usdz)
  }

  test('with any changed bytes', { tags: ['long'] }, () => {
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(changes, (list) => {
        const harmed = whole.slice()
        for (const [at, value] of list) harmed[at] = value
        judged(harmed)
      }),
      { numRuns: 2000 },
    )
  })

  test('with numbers in the layer that exceed its content', { tags: ['long'] }, () => {
    const numbers = fc.constantFrom(0n, 1n, 2n ** 16n, 2n ** 31n, 2n ** 32n, 2n ** 40n, 2n ** 63n, 2n ** 64n - 1n)
    fc.assert(
      fc.property(fc.nat((data.length >> 3) - 1), numbers, fc.nat(7), (place, number, shift) => {
        const harmed = whole.slice()
        const at = Math.min(offset + place * 8 + shift, offset + data.length - 8)
        new DataView(harmed.buffer).setBigUint64(at, number, true)
        judged(harmed)
      }),
      { numRuns: 2000 },
    )
  })

  test('truncated anywhere', () => {
    for (let size = 0; size < whole.length; size += 37) judged(whole.subarray(0, size))
    for (let size = 0; size < data.length; size += 11) {
      judged(writePackage([{ name: 'model.usdc', parts: [data.subarray(0, size)] }]))
    }
  })

  test('with deeply nested prims, or one array referenced many times', { tags: ['long'] }, () => {
    const points = new Float32Array(300_000)
    const many = Array.from({ length: 2000 }, (_, i) =>
      prim(`Part${i}`, 'Mesh', { properties: [attribute('points', 'point3f[]', points)] }),
    )
    judged(packageOf({ metadata: [], prims: many }))
    let deep = prim('Deep', 'Xform')
    for (let i = 0; i < 1000; i++) deep = prim('Deep', 'Mesh', { children: [deep] })
    judged(writePackage([{ name: 'model.usdc', parts: writeCrate({ metadata: [], prims: [deep] }) }]))
  })
})
