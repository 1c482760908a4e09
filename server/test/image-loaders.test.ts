import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkPackage } from '../../usdz/index.ts'
import { givenModel, image } from '../../usdz/test/models.ts'
import { createConverter } from '../modules/files/converter.ts'
import { GIF, JPEG } from '../platform/images/image-kinds.ts'
import { imageLibrary } from '../platform/images/image-library.ts'
import { createImages } from '../platform/images/images.ts'
import { animation } from './pictures.ts'

/** A square with a texture that has to be decoded: viewers of USDZ show no WebP. */
async function paintedGlb(): Promise<Uint8Array> {
  const model = givenModel()
  const texture = model.document
    .createTexture()
    .setImage((await image([200, 30, 30, 255], 'webp')) as Uint8Array<ArrayBuffer>)
    .setMimeType('image/webp')
  const material = model.document.createMaterial('Paint').setBaseColorTexture(texture)
  model.node('Square', model.mesh('Square', model.square(material)))
  return model.glb()
}

test('while models with textures are converted in threads that come and go, GIFs are read and SVG stays closed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-loaders-'))
  const images = createImages({ folder })
  const converter = createConverter({ maxBytes: 1e6, seconds: 60, size: 2, idleMs: 0 })
  const [glb, gif] = [await paintedGlb(), await animation(40, 30, 3, 'gif')]
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const rules = { kinds: [JPEG, GIF], mostBytes: 1e6, mostSaid: '1 MB', animated: true }
  async function* bytes() {
    yield gif
  }
  let converting = true
  const reading = (async () => {
    for (let read = 0; ; read++) {
      if (!converting && read > 0) return read
      const taken = await images.take(bytes(), rules, 'somebody')
      expect(taken).toMatchObject({ width: 40, height: 30, frames: 3 })
      await images.decode(taken, 1e6, (pixels) => pixels.gif().toBuffer())
      await images.drop(taken)
      await expect((await imageLibrary())(svg).metadata()).rejects.toThrow()
    }
  })()
  try {
    for (let round = 0; round < 4; round++) {
      const made = await Promise.all([0, 1].map(() => converter.convert(async () => glb.slice())))
      for (const { usdz } of made) expect(checkPackage(usdz)).toEqual([])
    }
  } finally {
    converting = false
    expect(await reading).toBeGreaterThan(0)
    await converter.close()
    await images.close()
    await rm(folder, { recursive: true })
  }
})
