import sharp from 'sharp'

/** Pixels as three.js requests them from a browser: r g b a, row by row. */
class Bitmap {
  readonly width: number
  readonly height: number
  readonly pixels: Buffer

  constructor(width: number, height: number, pixels: Buffer) {
    this.width = width
    this.height = height
    this.pixels = pixels
  }
}

/** A minimal canvas for the exporter: draws an image, scaled and optionally flipped, and encodes it. */
class Canvas {
  width = 0
  height = 0
  #image: Bitmap | undefined
  #isFlipped = false

  getContext = () => ({
    translate: () => {},
    scale: (_: number, y: number) => {
      this.#isFlipped = y < 0
    },
    drawImage: (image: Bitmap) => {
      this.#image = image
    },
  })

  toBlob(done: (blob: Blob) => void, type: string): void {
    const { width, height, pixels } = this.#image!
    const image = sharp(pixels, { raw: { width, height, channels: 4 } })
    if (this.width !== width || this.height !== height) image.resize(this.width, this.height, { fit: 'fill' })
    if (this.#isFlipped) image.flip()
    const encoded = type === 'image/jpeg' ? image.jpeg({ quality: 92 }) : image.png()
    void encoded.toBuffer().then((bytes) => done(new Blob([new Uint8Array(bytes)])))
  }
}

/** three.js's loader and exporter, with the browser interfaces that they require. */
export async function threeConverter(): Promise<(glb: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>> {
  const createImageBitmap = async (blob: Blob) => {
    const image = sharp(await blob.arrayBuffer())
      .ensureAlpha()
      .raw()
    const { data, info } = await image.toBuffer({ resolveWithObject: true })
    return new Bitmap(info.width, info.height, data)
  }
  const document = { createElement: () => new Canvas() }
  Object.assign(globalThis, { self: globalThis, ImageBitmap: Bitmap, createImageBitmap, document })
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js')
  const { USDZExporter } = await import('three/addons/exporters/USDZExporter.js')
  return async (glb) => {
    const { scene } = await new GLTFLoader().parseAsync(glb.buffer, '')
    return await new USDZExporter().parseAsync(scene, { maxTextureSize: 8192 })
  }
}
