import { describe, expect, test } from 'vitest'
import { checkPackage } from '../check/check-package.ts'
import { ConversionError, type ConvertOptions, convert } from '../index.ts'
import { givenModel, withJson } from '../test/content/models.ts'
import { openUsdz } from '../test/open-usdz.ts'

const near = (...numbers: number[]) => numbers.map((number) => expect.closeTo(number, 5))

type Given = { scales?: number[]; degree?: number; leftOut?: string; extension?: object; turns?: number[] }

/** A wall of two triangles, and a node, 1 to the right and twice as large, with two splats. */
async function splatGlb({ scales, degree = 0, leftOut, extension = {}, turns }: Given = {}): Promise<Uint8Array> {
  const model = givenModel()
  model.node('Wall', model.mesh('Wall', model.square()))
  const floats = (type: 'SCALAR' | 'VEC3' | 'VEC4', ...values: number[]) => ({ type, array: Float32Array.from(values) })
  const attributes = {
    POSITION: floats('VEC3', 0, 0, 0, 1, 2, 3),
    'KHR_gaussian_splatting:SCALE': floats('VEC3', ...(scales ?? [0.1, 0.2, 0.3, 0.1, 0.1, 0.1])),
    'KHR_gaussian_splatting:ROTATION': floats('VEC4', ...(turns ?? [0, 0, 0, 1, 0, 1, 0, 0])),
    'KHR_gaussian_splatting:OPACITY': floats('SCALAR', 0.5, 1),
  }
  const harmonics = Array.from({ length: degree + 1 }, (_, d) =>
    Array.from({ length: 2 * d + 1 }, (_, k) => {
      const value = d * 10 + k
      const array = [value, value + 0.1, value + 0.2, -value, -value, -value]
      return [`KHR_gaussian_splatting:SH_DEGREE_${d}_COEF_${k}`, floats('VEC3', ...array)] as const
    }),
  )
  const all = { ...attributes, ...Object.fromEntries(harmonics.flat()) }
  const kept = Object.fromEntries(Object.entries(all).filter(([name]) => name !== leftOut))
  const mesh = model.mesh('Cloud', model.primitive(kept).setMode(0))
  model.node('Cloud', mesh).setTranslation([1, 0, 0]).setScale([2, 2, 2])
  return withJson(await model.glb(), (json) => {
    const meshes = json.meshes as { name: string; primitives: { extensions: object }[] }[]
    const own = { kernel: 'ellipse', colorSpace: 'srgb_rec709_display', ...extension }
    meshes.find(({ name }) => name === 'Cloud')!.primitives[0]!.extensions = { KHR_gaussian_splatting: own }
    json.extensionsUsed = ['KHR_gaussian_splatting']
  })
}
const inSpec = (glb: Uint8Array, options: ConvertOptions = {}) => convert(glb, { profile: 'spec', ...options })
const refusal = async (glb: Uint8Array, options: ConvertOptions = {}) => {
  const error: unknown = await inSpec(glb, options).catch((reason: unknown) => reason)
  return error instanceof ConversionError ? [error.code, error.message] : error
}

describe('KHR_gaussian_splatting with the profile spec', () => {
  test('becomes particles below their node, beside the meshes', async () => {
    const { usdz, report } = await inSpec(await splatGlb())
    const read = openUsdz(usdz)
    const floats = (name: string) => [...read.floats(`/Root/Cloud/Cloud.${name}`)!]
    expect(read.prim('/Root/Cloud/Cloud')!.type).toBe('ParticleField3DGaussianSplat')
    expect(floats('positions')).toEqual([0, 0, 0, 1, 2, 3])
    expect(floats('scales')).toEqual(near(0.1, 0.2, 0.3, 0.1, 0.1, 0.1))
    expect(floats('orientations')).toEqual([0, 0, 0, 1, 0, 1, 0, 0])
    expect(floats('opacities')).toEqual([0.5, 1])
    expect(floats('radiance:sphericalHarmonicsCoefficients')).toEqual(near(0, 0.1, 0.2, 0, 0, 0))
    expect(read.text('/Root/Cloud/Cloud.sortingModeHint')).toBe('cameraDistance')
    expect(report).toMatchObject({ splats: 2, triangles: 2, notes: [] })
    expect(report.size).toEqual({ width: 3, height: 4, depth: 6 })
    expect(checkPackage(usdz).map(({ rule }) => rule)).toEqual(['ARKitPrimTypeChecker'])
  })

  test('has the coefficients of a splat together, by ascending degree', async () => {
    const read = openUsdz((await inSpec(await splatGlb({ degree: 2 }))).usdz)
    const values = [...read.floats('/Root/Cloud/Cloud.radiance:sphericalHarmonicsCoefficients')!]
    expect(read.number('/Root/Cloud/Cloud.radiance:sphericalHarmonicsDegree')).toBe(2)
    const reds = values.filter((_, at) => at % 3 === 0)
    expect(reds.map(Math.abs)).toEqual([0, 10, 11, 12, 20, 21, 22, 23, 24, 0, 10, 11, 12, 20, 21, 22, 23, 24])
  })

  test('has scales of drafts, which are logarithms, with a note, and rotations of length 1', async () => {
    const glb = await splatGlb({ scales: [-1, 0, 0.5, 0, 0, 0], turns: [0, 0, 0, 2, 0, 0, 0, 0] })
    const { usdz, report } = await inSpec(glb)
    const read = openUsdz(usdz)
    expect([...read.floats('/Root/Cloud/Cloud.scales')!]).toEqual(near(Math.exp(-1), 1, Math.exp(0.5), 1, 1, 1))
    expect([...read.floats('/Root/Cloud/Cloud.orientations')!]).toEqual([0, 0, 0, 1, 0, 0, 0, 1])
    expect(report.notes[0]!.message).toContain('logarithms')
  })

  test('names linear colours, which the package does not state', async () => {
    const { report } = await inSpec(await splatGlb({ extension: { colorSpace: 'lin_rec709_display' } }))
    expect(report.notes).toMatchObject([{ code: 'splats', message: expect.stringContaining('linear colours') }])
  })

  test.each([
    [
      'KHR_gaussian_splatting:OPACITY',
      'mesh 1 "Cloud", primitive 0: its splats have no KHR_gaussian_splatting:OPACITY.',
    ],
    [
      'KHR_gaussian_splatting:SH_DEGREE_1_COEF_2',
      'mesh 1 "Cloud", primitive 0: its splats have no KHR_gaussian_splatting:SH_DEGREE_1_COEF_2.',
    ],
  ])('without %s is malformed', async (leftOut, message) => {
    expect(await refusal(await splatGlb({ degree: 1, leftOut }))).toEqual(['malformed', message])
  })

  test('stays where a scale of zero flattens its node', async () => {
    const glb = withJson(await splatGlb(), (json) => {
      const nodes = json.nodes as { name: string; scale: number[] }[]
      nodes.find(({ name }) => name === 'Cloud')!.scale = [2, 0, 2]
    })
    const { usdz, report } = await inSpec(glb)
    expect(openUsdz(usdz).prims('ParticleField3DGaussianSplat')).toHaveLength(1)
    expect(report).toMatchObject({ splats: 2, triangles: 2, notes: [] })
  })

  test('above the limit is refused', async () => {
    const limits = { triangles: 1 }
    expect(await refusal(await splatGlb(), { limits })).toEqual(['too_large', expect.stringContaining('more than 1')])
  })
})

test.each(['quicklook', 'realitykit'] as const)(
  'in %s the splats of a GLB are left out, the note names the profile that carries them, and triangles stay',
  async (profile) => {
    const { report } = await convert(await splatGlb(), { profile })
    expect(report.triangles).toBe(2)
    expect(report.notes).toContainEqual({
      code: 'splats',
      effect: 'left_out',
      message: 'Gaussian splats are left out: only the profile spec writes them, for OpenUSD 26.03.',
      count: 1,
    })
  },
)
