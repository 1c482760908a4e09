import { NeutralToneMapping, PMREMGenerator, Scene, WebGLRenderer } from 'three'
import { RoomEnvironment } from 'three/examples/jsm/environments/RoomEnvironment.js'
import { boundsOf, lookAt } from './camera.ts'
import { deriveUnitTangents, invertSkinnedNormals } from './corrections/shader-vectors.ts'
import { flattenSingular } from './corrections/singular.ts'
import { orderTransparent } from './corrections/transparent-order.ts'
import { openGlb } from './glb.ts'
import { releaseTextures } from './release.ts'
import type { Shown } from './shown.ts'
import { openUsdz } from './usdz.ts'

/** How both sides are drawn: one square canvas, one environment light, a transparent background. */
function studio() {
  deriveUnitTangents()
  invertSkinnedNormals()
  const renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true })
  renderer.setPixelRatio(1)
  renderer.setClearColor(0, 0)
  renderer.toneMapping = NeutralToneMapping
  const scene = new Scene()
  scene.environment = new PMREMGenerator(renderer).fromScene(new RoomEnvironment(), 0.04).texture
  let sides: Record<string, Shown> = {}

  return {
    /** Loads the current models. `glb` is the source, `loader` the package by USDLoader, `usd` the completed package. */
    async open() {
      releaseTextures(Object.values(sides).map(({ object }) => object))
      const [glb, usdz] = await Promise.all(['source.glb', 'result.usdz'].map(fetchBytes))
      const { loader, usd } = await openUsdz(usdz!, renderer)
      sides = { glb: await openGlb(glb!), loader, usd }
      return sides.glb!.clips
    },
    /**
     * Draws one side. `clips` and `seconds` are the source's; `timeCode` is that moment on the package's timeline.
     * @returns size × size pixels of r g b a, bottom up, as base64, with premultiplied alpha.
     */
    draw(
      side: string,
      shot: { size: number; view: number; clips?: number[]; seconds: number; timeCode: number },
    ): string {
      const { glb } = sides
      glb!.pose(shot.clips, shot.seconds)
      const camera = lookAt(boundsOf(glb!.object), shot.view)
      const shown = sides[side]!
      if (side !== 'glb') shown.pose(shot.clips, shot.timeCode)
      renderer.setSize(shot.size, shot.size, false)
      scene.add(shown.object)
      const unflatten = flattenSingular(shown.object)
      orderTransparent(shown.object, camera)
      renderer.render(scene, camera)
      unflatten()
      shown.object.removeFromParent()
      const pixels = new Uint8Array(shot.size * shot.size * 4)
      const gl = renderer.getContext()
      gl.readPixels(0, 0, shot.size, shot.size, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
      return base64(pixels)
    },
  }
}

const fetchBytes = async (name: string) => await (await fetch(`/model/${name}`)).arrayBuffer()

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  return btoa(text)
}

export type Studio = ReturnType<typeof studio>

Object.assign(globalThis, { studio: studio() })
