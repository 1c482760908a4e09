import { type CompressedTexture, DataTexture, RGBAFormat, UnsignedByteType } from 'three'
import { KTX2Loader } from 'three/examples/jsm/loaders/KTX2Loader.js'

/**
 * Reads KTX2 images as pixels, so that mipmaps can be made of them. Those of GPU formats cannot: without mipmaps in the
 * file, a fine texture flickers on the source's side alone.
 */
export class PixelKtx2Loader extends KTX2Loader {
  constructor() {
    super()
    this.workerConfig = {
      astcSupported: false,
      astcHDRSupported: false,
      etc1Supported: false,
      etc2Supported: false,
      dxtSupported: false,
      bptcSupported: false,
      pvrtcSupported: false,
    }
  }

  override parse(...[buffer, onLoad, onError]: Parameters<KTX2Loader['parse']>): void {
    super.parse(buffer, onLoad && ((texture) => onLoad(pixelsOf(texture) as CompressedTexture)), onError)
  }
}

/** The largest image of a texture of Basis Universal as an ordinary texture; any other texture as it is. */
function pixelsOf(texture: CompressedTexture): CompressedTexture | DataTexture {
  const [largest] = texture.mipmaps ?? []
  if (!largest || (texture.format as number) !== RGBAFormat || texture.type !== UnsignedByteType) return texture
  const { data, width, height } = largest as { data: Uint8Array<ArrayBuffer>; width: number; height: number }
  const pixels = new DataTexture(data, width, height)
  pixels.colorSpace = texture.colorSpace
  pixels.premultiplyAlpha = texture.premultiplyAlpha
  pixels.needsUpdate = true
  return pixels
}
