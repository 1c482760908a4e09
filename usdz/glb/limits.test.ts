import { expect, test } from 'vitest'
import { ConversionError, convertToGlb } from '../index.ts'
import { square, textPackage } from '../test/content/text-package.ts'

const list = (count: number, of: (at: number) => string) => Array.from({ length: count }, (_, at) => of(at)).join(', ')
const refusal = async (contents: string, metadata?: string) => {
  const error = await convertToGlb(textPackage(contents, [], metadata)).catch((reason: unknown) => reason)
  return error instanceof ConversionError ? [error.code, error.message] : error
}
const unit = '( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,0,1) )'
/** A square whose points follow the first joint of a skeleton of `count` joints. */
const rigged = (name: string, count: number, more: { mesh?: string; source?: string; matrices?: string } = {}) => `
def SkelRoot "${name}" {
  rel skel:skeleton = </Root/${name}/Bones>
  def Skeleton "Bones" {
    uniform token[] joints = [${list(count, (at) => `"j${at}"`)}]
    uniform matrix4d[] bindTransforms = [${more.matrices ?? list(count, () => unit)}]
    ${more.source ? `rel skel:animationSource = <${more.source}>` : ''}
  }
  ${square(
    'Skin',
    `int[] primvars:skel:jointIndices = [0] (elementSize = 1, interpolation = "constant")
    float[] primvars:skel:jointWeights = [1] (elementSize = 1, interpolation = "constant")
    ${more.mesh ?? ''}`,
  )}
}`

test('offsets of blend shapes are counted by vertices', { tags: ['long'] }, async () => {
  const faces = 1000
  const divided = square(
    'Face',
    `texCoord2f[] primvars:uv = [${list(faces * 4, (at) => `(${at}, 0)`)}] (interpolation = "faceVarying")
    uniform token[] skel:blendShapes = [${list(1251, (at) => `"s${at}"`)}]
    rel skel:blendShapeTargets = [${list(1251, () => '</Root/Up>')}]`,
  )
    .replace('[4]', `[${list(faces, () => '4')}]`)
    .replace('[0, 1, 2, 3]', `[${list(faces, () => '0, 1, 2, 3')}]`)
  const shape = 'def BlendShape "Up" { uniform vector3f[] offsets = [(0, 0, 1)]\n uniform int[] pointIndices = [0] }'
  expect(await refusal(shape + divided)).toEqual(['too_large', expect.stringContaining('30000000 offsets')])
})

test('a skin of more joints than vertices can name', async () => {
  const mesh = `uniform token[] skel:joints = [${list(65_536, () => '"j0"')}]`
  expect(await refusal(rigged('A', 1, { mesh }))).toEqual(['too_large', expect.stringContaining('65535 joints')])
})

test('joints of skeletons and of skins are counted', { tags: ['long'] }, async () => {
  expect(await refusal(rigged('A', 200_001, { matrices: '' }))).toEqual([
    'too_large',
    expect.stringContaining('skeletons of the package have more than 200000 joints'),
  ])
  const mesh = `uniform token[] skel:joints = [${list(51_000, () => '"j0"')}]`
  const four = ['A', 'B', 'C', 'D'].map((name) => rigged(name, 1, { mesh })).join('')
  expect(await refusal(four)).toEqual([
    'too_large',
    expect.stringContaining('skins of the package have more than 200000 joints'),
  ])
})

test('keys outside the range of the stage are counted', { tags: ['long'] }, async () => {
  const [joints, keys, skeletons] = [50, 2000, 70]
  const row = `[${list(joints, () => '(0, 0, 1)')}]`
  const walk = `def SkelAnimation "Walk" {
    uniform token[] joints = [${list(joints, (at) => `"j${at}"`)}]
    float3[] translations.timeSamples = { ${list(keys, (at) => `${at}: ${row}`)} }
  }`
  const bodies = list(skeletons, (at) => rigged(`B${at}`, joints, { source: '/Root/Walk' })).replaceAll('},', '}')
  const range = 'metersPerUnit = 1\n upAxis = "Y"\n startTimeCode = 5000\n endTimeCode = 5001'
  expect(await refusal(walk + bodies, range)).toEqual(['too_large', expect.stringContaining('20000000 values')])
})
