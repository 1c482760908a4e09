import {
  ClampToEdgeWrapping,
  LinearMipmapLinearFilter,
  Mesh,
  MirroredRepeatWrapping,
  NoColorSpace,
  OrthographicCamera,
  PlaneGeometry,
  RepeatWrapping,
  Scene,
  ShaderMaterial,
  SRGBColorSpace,
  type Texture,
  TextureLoader,
  Vector4,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three'

/** How one channel is read from an image: value = scale · texel + bias, of the channel 0 to 3. */
export type Picked = { channel: number; scale: number; bias: number }

/** Textures of the images in a package. */
export function textureSource(files: Record<string, Uint8Array>, renderer: WebGLRenderer) {
  return {
    async load(file: string, srgb: boolean, wrapS: string | undefined, wrapT: string | undefined): Promise<Texture> {
      const bytes = files[file]
      if (!bytes) throw new Error(`The package has no ${file}`)
      const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>]))
      const texture = await new TextureLoader().loadAsync(url)
      URL.revokeObjectURL(url)
      texture.colorSpace = srgb ? SRGBColorSpace : NoColorSpace
      texture.wrapS = wrapping(wrapS)
      texture.wrapT = wrapping(wrapT)
      return texture
    },
    /** A grey texture of one channel of another, rendered once. */
    pick(source: Texture, { channel, scale, bias }: Picked): Texture {
      const { width, height } = source.image as { width: number; height: number }
      const target = new WebGLRenderTarget(width, height, {
        generateMipmaps: true,
        minFilter: LinearMipmapLinearFilter,
        wrapS: source.wrapS,
        wrapT: source.wrapT,
        depthBuffer: false,
      })
      const quad = new Mesh(new PlaneGeometry(2, 2), picking(source, channel, scale, bias))
      const scene = new Scene().add(quad)
      renderer.setRenderTarget(target)
      renderer.render(scene, new OrthographicCamera(-1, 1, 1, -1, -1, 1))
      renderer.setRenderTarget(null)
      return target.texture
    },
  }
}
export type TextureSource = ReturnType<typeof textureSource>

const picking = (map: Texture, channel: number, scale: number, bias: number) =>
  new ShaderMaterial({
    uniforms: {
      map: { value: map },
      channel: { value: new Vector4(0, 0, 0, 0).setComponent(channel, 1) },
      scale: { value: scale },
      bias: { value: bias },
    },
    vertexShader: 'varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0., 1.); }',
    fragmentShader: `uniform sampler2D map; uniform vec4 channel; uniform float scale, bias; varying vec2 at;
      void main() { gl_FragColor = vec4(vec3(dot(texture2D(map, at), channel) * scale + bias), 1.); }`,
    toneMapped: false,
  })

function wrapping(mode: string | undefined) {
  if (mode === 'clamp') return ClampToEdgeWrapping
  return mode === 'mirror' ? MirroredRepeatWrapping : RepeatWrapping
}
