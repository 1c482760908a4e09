import type { Material } from '@gltf-transform/core'
import sharp from 'sharp'
import { type ConvertOptions, convert } from '../index.ts'
import { type GivenModel, givenModel, image } from './content/models.ts'
import { openUsdz } from './open-usdz.ts'

/** The path of the material inputs of a painted square. */
export const surface = '/Root/Materials/Paint/Surface.inputs:'

/** Converts a square with one material, "Paint", and opens the result for inspection of its surface. */
export async function painted(
  paint: (model: GivenModel, material: Material) => Promise<void> | void,
  options?: ConvertOptions,
  change: (glb: Uint8Array) => Uint8Array = (glb) => glb,
) {
  const model = givenModel()
  const material = model.document.createMaterial('Paint')
  await paint(model, material)
  model.node('Square', model.mesh('Square', model.square(material)))
  const { usdz, report } = await convert(change(await model.glb()), options)
  const usd = openUsdz(usdz)
  const sourceOf = (input: string) => {
    const connection = usd.connection(`${surface}${input}`)
    const [path, output] = connection?.split('.outputs:') ?? []
    return path ? { path, output, file: usd.text(`${path}.inputs:file`)! } : undefined
  }
  /** The channels of the first pixel of the image of an input. */
  const pixel = async (input: string, channels = 3) => {
    const file = usd.files.find(({ name }) => name === sourceOf(input)?.file)!
    return [...(await sharp(file.data).raw().toBuffer()).subarray(0, channels)]
  }
  return { usd, report, sourceOf, pixel, codes: report.notes.map(({ code }) => code) }
}

/** A texture of one colour in the model. */
export const texture = async (model: GivenModel, color: number[], format: 'png' | 'jpeg' | 'webp' = 'png', size = 4) =>
  model.document
    .createTexture('stone')
    .setImage((await image(color, format, size)) as Uint8Array<ArrayBuffer>)
    .setMimeType(`image/${format}`)
