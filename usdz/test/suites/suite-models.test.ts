import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { givenModel, image } from '../content/models.ts'
import { takeApart } from '../fuzz/glb-parts.ts'
import { readSuiteModel, suitePaths } from './suite-models.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'usdz-suite-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A square with an image, as a .gltf with its buffer and its image in files. */
async function writeSquare(): Promise<Uint8Array> {
  const model = givenModel()
  const texture = model.document
    .createTexture()
    .setImage(await image([255, 0, 0]))
    .setMimeType('image/png')
  const paint = model.document.createMaterial('Paint').setBaseColorTexture(texture)
  model.node('Square', model.mesh('Square', model.square(paint)))
  const glb = await model.glb()
  const { text, binary } = takeApart(glb)!
  const json = JSON.parse(text)
  const { byteOffset = 0, byteLength } = json.bufferViews[json.images[0].bufferView]
  json.buffers[0].uri = 'the%20square.bin'
  json.images[0] = { uri: 'red.png' }
  await writeFile(join(folder, 'square.gltf'), JSON.stringify(json))
  await writeFile(join(folder, 'the square.bin'), binary)
  await writeFile(join(folder, 'red.png'), binary.subarray(byteOffset, byteOffset + byteLength))
  return glb
}

test('a .gltf with its files is one GLB that converts to the package of the original', async () => {
  const original = await writeSquare()
  const { glb, validity } = await readSuiteModel(folder, 'square.gltf')
  expect(validity).toBe('valid')
  expect((await convert(glb!)).usdz).toEqual((await convert(original)).usdz)
})

test('a model without one of its files is incomplete', async () => {
  await writeSquare()
  await rm(join(folder, 'red.png'))
  expect(await readSuiteModel(folder, 'square.gltf')).toMatchObject({ validity: 'incomplete' })
})

test('models are listed at any depth, and folders that are called like models are none', async () => {
  await mkdir(join(folder, 'chair.glb/old'), { recursive: true })
  await writeFile(join(folder, 'chair.glb/old/chair.GLTF'), '{}')
  expect((await suitePaths(folder)).filter((path) => path.includes('chair'))).toEqual(['chair.glb/old/chair.GLTF'])
})

test('a model with a file in Git LFS is incomplete', async () => {
  await writeSquare()
  await writeFile(join(folder, 'the square.bin'), 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n')
  expect(await readSuiteModel(folder, 'square.gltf')).toMatchObject({ validity: 'incomplete' })
})

test('the first error of an invalid model is its validity', async () => {
  await writeFile(join(folder, 'bare.gltf'), JSON.stringify({ asset: {} }))
  expect((await readSuiteModel(folder, 'bare.gltf')).validity).toBe('UNDEFINED_PROPERTY')
})
