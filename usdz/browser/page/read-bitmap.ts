let context: WebGL2RenderingContext | undefined

/**
 * Returns the RGBA values of a bitmap, from its top. A 2D canvas would multiply colours by alpha and lose those of
 * transparent pixels; WebGL does not.
 * @throws Error when the bitmap is larger than a texture of the browser, or the browser has no WebGL 2.
 */
export function readBitmap(bitmap: ImageBitmap): Uint8Array<ArrayBuffer> {
  const { width, height } = bitmap
  const gl = usableContext()
  const most: number = gl.getParameter(gl.MAX_TEXTURE_SIZE)
  if (width > most || height > most) throw new Error(`The image has a side of more than ${most} pixels.`)
  const [texture, frame] = [gl.createTexture(), gl.createFramebuffer()]
  try {
    gl.bindTexture(gl.TEXTURE_2D, texture)
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false)
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap)
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame)
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
    const pixels = new Uint8Array(width * height * 4)
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
    const error = gl.getError()
    if (error !== gl.NO_ERROR) throw new Error(`The image cannot be read (WebGL error ${error}).`)
    return pixels
  } finally {
    gl.deleteFramebuffer(frame)
    gl.deleteTexture(texture)
  }
}

function usableContext(): WebGL2RenderingContext {
  if (!context || context.isContextLost()) {
    context = new OffscreenCanvas(1, 1).getContext('webgl2') ?? undefined
    if (!context) throw new Error('Images need WebGL 2.')
  }
  return context
}
