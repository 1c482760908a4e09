import { describe, expect, test } from 'vitest'
import { checkPackage } from '../check/check-package.ts'
import { ConversionError, convert, convertToGlb } from '../index.ts'
import { text } from '../test/content/mesh-files.ts'
import { textPackage } from '../test/content/text-package.ts'
import { composed } from '../test/judges/composed.ts'
import { openUsdz } from '../test/open-usdz.ts'

const near = (...numbers: number[]) => numbers.map((number) => expect.closeTo(number, 5))
const named = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}_${i}`)

type Row = { at?: number[]; color?: number[]; rest?: number[]; opacity?: number; scale?: number[]; turn?: number[] }
/** A splat PLY as a trainer writes it: turns are w x y z, scales logarithms, opacities logits. */
function splatPly(rows: Row[], { rest = 0, count = rows.length }: { rest?: number; count?: number } = {}): Uint8Array {
  const names = ['x', 'y', 'z', 'nx', 'ny', 'nz', ...named('f_dc', 3), ...named('f_rest', rest), 'opacity']
  names.push(...named('scale', 3), ...named('rot', 4))
  const zeros = (size: number) => new Array<number>(size).fill(0)
  return text(
    'ply',
    'format ascii 1.0',
    `element vertex ${count}`,
    ...names.map((name) => `property float ${name}`),
    'end_header',
    ...rows.map(({ at = zeros(3), color = zeros(3), rest: more = zeros(rest), opacity = 0, scale = zeros(3), turn }) =>
      [...at, 0, 0, 0, ...color, ...more, opacity, ...scale, ...(turn ?? [1, 0, 0, 0])].join(' '),
    ),
  )
}
const inSpec = (bytes: Uint8Array, options = {}) => convert(bytes, { profile: 'spec', ...options })
const refusal = async (bytes: Uint8Array, options = {}) => {
  const error: unknown = await inSpec(bytes, options).catch((reason: unknown) => reason)
  return error instanceof ConversionError ? [error.code, error.message] : error
}

describe('the splats of a PLY with the profile spec', () => {
  test('become particles: scales, opacities and rotations as they are, not as they were trained', async () => {
    const { usdz, report } = await inSpec(
      splatPly([
        { at: [1, 2, 3], scale: [Math.log(0.5), 0, Math.log(2)], turn: [0, 2, 0, 0], color: [0.1, 0.2, 0.3] },
        { at: [-1, 0, 0], opacity: Math.log(3), turn: [0, 0, 0, 0] },
      ]),
    )
    const read = openUsdz(usdz)
    const floats = (name: string) => [...read.floats(`/Root/Splats.${name}`)!]
    expect(read.prim('/Root/Splats')!.type).toBe('ParticleField3DGaussianSplat')
    expect(floats('positions')).toEqual([1, 2, 3, -1, 0, 0])
    expect(floats('scales')).toEqual(near(0.5, 1, 2, 1, 1, 1))
    expect(floats('opacities')).toEqual(near(0.5, 0.75))
    expect(floats('orientations')).toEqual([1, 0, 0, 0, 0, 0, 0, 1])
    expect(floats('radiance:sphericalHarmonicsCoefficients')).toEqual(near(0.1, 0.2, 0.3, 0, 0, 0))
    expect(read.number('/Root/Splats.radiance:sphericalHarmonicsDegree')).toBe(0)
    // Three standard deviations around each.
    expect(floats('extent')).toEqual(near(-5, -4, -3, 7, 8, 9))
    expect(report).toMatchObject({ splats: 2, triangles: 0, metersPerUnit: 1, notes: [] })
    expect(report.size).toEqual({ width: 2, height: 2, depth: 3 })
  })

  test.each([
    [1, 9],
    [2, 24],
    [3, 45],
  ])('of degree %i have red, green and blue of each coefficient together', async (degree, rest) => {
    const row = { color: [100, 200, 300], rest: Array.from({ length: rest }, (_, i) => i) }
    const read = openUsdz((await inSpec(splatPly([row], { rest }))).usdz)
    const values = [...read.floats('/Root/Splats.radiance:sphericalHarmonicsCoefficients')!]
    expect(read.number('/Root/Splats.radiance:sphericalHarmonicsDegree')).toBe(degree)
    expect(values).toHaveLength(3 * (degree + 1) ** 2)
    const channel = rest / 3
    expect(values.slice(0, 9)).toEqual([100, 200, 300, 0, channel, 2 * channel, 1, channel + 1, 2 * channel + 1])
    expect(values.at(-1)).toBe(rest - 1)
  })

  test('take the scale of the model, and break no rule but that of the types Apple’s viewers know', async () => {
    const { usdz, report } = await inSpec(splatPly([{}, { at: [1, 0, 0] }]), { scale: 0.5 })
    expect([report.size.width, report.metersPerUnit]).toEqual([0.5, 0.5])
    expect(checkPackage(usdz)).toEqual([
      { rule: 'ARKitPrimTypeChecker', message: '/Root/Splats is a ParticleField3DGaussianSplat.' },
    ])
  })

  test('are read by OpenUSD', { tags: ['long'] }, async () => {
    const { usdz } = await inSpec(splatPly([{ at: [1, 2, 3], turn: [0, 0, 1, 0] }]))
    const { text: printed, complaints } = await composed({ 'a.usdz': usdz })
    const plain = printed.replace(/\s+/g, ' ')
    expect(complaints).toEqual([])
    for (const line of [
      'def ParticleField3DGaussianSplat "Splats"',
      'point3f[] positions = [(1, 2, 3)]',
      'quatf[] orientations = [(0, 0, 1, 0)]',
      'float[] opacities = [0.5]',
      'float3[] scales = [(1, 1, 1)]',
      'uniform int radiance:sphericalHarmonicsDegree = 0',
      'float3[] radiance:sphericalHarmonicsCoefficients = [(0, 0, 0)]',
    ])
      expect(plain).toContain(line)
  })

  test.each<[string, Uint8Array, string, RegExp]>([
    [
      'packed',
      text('ply', 'format ascii 1.0', 'element vertex 1', 'property uint packed_rotation', 'end_header', '0'),
      'unsupported',
      /uncompressed splat PLY/,
    ],
    [
      'with a part of the coefficients',
      splatPly([{}], { rest: 8 }),
      'malformed',
      /8 properties f_rest; splats have 0, 9/,
    ],
    ['cut off', splatPly([{}], { count: 1_000_000 }), 'malformed', /cut off/],
    ['larger than any number', splatPly([{ scale: [1000, 0, 0] }]), 'malformed', /not finite/],
    ['that are none', splatPly([]), 'malformed', /no splats/],
  ])('%s are refused with the cause', async (_what, bytes, code, cause) => {
    expect(await refusal(bytes)).toEqual([code, expect.stringMatching(cause)])
  })

  test('above the limit are refused', async () => {
    expect(await refusal(splatPly([{}, {}]), { limits: { triangles: 1 } })).toEqual([
      'too_large',
      'The PLY has 2 splats; at most 1 are converted.',
    ])
  })
})

test('other profiles refuse splats, and the message names the profile that takes them', async () => {
  for (const profile of ['quicklook', 'realitykit'])
    expect(await refusal(splatPly([{}]), { profile })).toEqual([
      'unsupported',
      expect.stringContaining('the profile "spec" for programs that read OpenUSD 26.03'),
    ])
})

test('the splats of a USDZ are left out of a GLB, with a note that names them', async () => {
  const { report } = await convertToGlb(textPackage('def ParticleField3DGaussianSplat "Splats" { }'))
  expect(report.notes).toMatchObject([{ message: 'Gaussian splats and other particle fields are left out.' }])
})
