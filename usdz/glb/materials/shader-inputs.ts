import type { UvTransform, Wrap } from '../../scene/materials/material.ts'
import type { ComposedStage } from '../../stage/compose-stage.ts'
import { type UsdPrim, values } from '../../stage/usd-prim.ts'

export type Channel = 'rgb' | 'r' | 'g' | 'b' | 'a'

/** A texture as an input of a surface reads it: `value * scale + bias`. */
export type TextureInput = {
  /** The path of the image, and the layer that has it; undefined when it names none. */
  file: { path: string; layer: string } | undefined
  channel: Channel
  scale: readonly number[]
  bias: readonly number[]
  wrapS: Wrap
  wrapT: Wrap
  /** The primvar with its coordinates. */
  primvar: string
  transform?: UvTransform
  colorSpace: string
  /** Whether an input of it, or of what moves its coordinates, has samples. */
  isAnimated: boolean
  /** What is shown without the image. */
  fallback: readonly number[]
  /** How sampling differs from what glTF can express. */
  losses: readonly string[]
}

/** An input of a shader: constant numbers, a texture, or a primvar of the mesh. */
export type ShaderInput =
  | { kind: 'value'; value: readonly number[]; isAnimated: boolean }
  | { kind: 'texture'; texture: TextureInput }
  | { kind: 'primvar'; name: string; fallback: readonly number[] | undefined }
  | { kind: 'unknown' }

type End = { prim: UsdPrim; name: string }

/** Longer chains of connections are cycles. */
const maxHops = 32

/** Reads the inputs of shaders. Source: "UsdPreviewSurface Specification" of OpenUSD. */
export function shaderReader({ primAt }: ComposedStage) {
  /** Follows connections to the attribute with the value, or to the output of a shader. */
  const endOf = (prim: UsdPrim, name: string): End | undefined => {
    let end: End = { prim, name }
    for (let hop = 0; hop < maxHops; hop++) {
      const [target] = values.targets(end.prim, end.name)
      if (target === undefined) return end
      const dot = target.lastIndexOf('.')
      const owner = primAt(target.slice(0, dot))
      if (dot < 0 || !owner) return undefined
      end = { prim: owner, name: target.slice(dot + 1) }
      if (owner.type === 'Shader' && end.name.startsWith('outputs:')) return end
    }
    return undefined
  }
  const idOf = (prim: UsdPrim) => values.text(prim, 'info:id') ?? ''
  const numbersAt = (prim: UsdPrim, name: string): readonly number[] | undefined => {
    const end = endOf(prim, name)
    if (!end) return undefined
    const number = values.number(end.prim, end.name)
    return values.vector(end.prim, end.name) ?? (number === undefined ? undefined : [number])
  }
  const textAt = (prim: UsdPrim, name: string): string | undefined => {
    const end = endOf(prim, name)
    return end && values.text(end.prim, end.name)
  }

  const assetAt = (prim: UsdPrim, name: string) => {
    const end = endOf(prim, name)
    return end && values.asset(end.prim, end.name)
  }

  const coordinatesOf = (
    texture: UsdPrim,
  ): Pick<TextureInput, 'primvar' | 'transform' | 'isAnimated'> & { lost?: string } => {
    let isAnimated = hasSamples(texture)
    let end = endOf(texture, 'inputs:st')
    let transform: UvTransform | undefined
    let lost: string | undefined
    for (let hop = 0; end && idOf(end.prim) === 'UsdTransform2d' && hop < maxHops; hop++) {
      if (transform) lost = 'Of several transforms of texture coordinates, the last one is used.'
      transform ??= transformOf(end.prim)
      isAnimated ||= hasSamples(end.prim)
      end = endOf(end.prim, 'inputs:in')
    }
    const isReader = end !== undefined && /^UsdPrimvarReader_float2$/.test(idOf(end.prim))
    const primvar = (isReader ? textAt(end!.prim, 'inputs:varname') : undefined) ?? 'st'
    return { primvar, isAnimated, ...(transform && { transform }), ...(lost !== undefined && { lost }) }
  }
  /** With v = 1 - t, the scale and the angle stay the same and the offset changes. */
  const transformOf = (prim: UsdPrim): UvTransform => {
    const [tx, ty] = pair(numbersAt(prim, 'inputs:translation'), 0)
    const scale = pair(numbersAt(prim, 'inputs:scale'), 1)
    const rotation = ((numbersAt(prim, 'inputs:rotation')?.[0] ?? 0) * Math.PI) / 180
    const offset = [tx - Math.sin(rotation) * scale[1], 1 - Math.cos(rotation) * scale[1] - ty] as const
    return { offset, rotation, scale }
  }

  const textureOf = (prim: UsdPrim, output: string): TextureInput => {
    const wrap = (name: string) => textAt(prim, name) ?? 'useMetadata'
    const [wrapS, wrapT] = [wrap('inputs:wrapS'), wrap('inputs:wrapT')]
    const isBlack = [wrapS, wrapT].some((mode) => !(mode in wraps))
    const { lost, ...coordinates } = coordinatesOf(prim)
    return {
      file: assetAt(prim, 'inputs:file'),
      channel: channels.find((channel) => `outputs:${channel}` === output) ?? 'rgb',
      scale: four(numbersAt(prim, 'inputs:scale'), 1),
      bias: four(numbersAt(prim, 'inputs:bias'), 0),
      wrapS: wraps[wrapS] ?? 'clamp',
      wrapT: wraps[wrapT] ?? 'clamp',
      ...coordinates,
      colorSpace: textAt(prim, 'inputs:sourceColorSpace') ?? 'auto',
      fallback: numbersAt(prim, 'inputs:fallback') ?? [0, 0, 0, 1],
      losses: [
        ...(isBlack ? ['Textures that end in black outside their images repeat their edge instead.'] : []),
        ...(lost === undefined ? [] : [lost]),
      ],
    }
  }
  return {
    /** Reads an input; undefined when it has neither a value nor a connection. */
    input(shader: UsdPrim, name: string): ShaderInput | undefined {
      if (!values.has(shader, name)) return undefined
      const end = endOf(shader, name)
      if (!end) return { kind: 'unknown' }
      if (end.prim.type !== 'Shader' || !end.name.startsWith('outputs:')) {
        const value = numbersAt(end.prim, end.name)
        return value && { kind: 'value', value, isAnimated: values.isAnimated(end.prim, end.name) }
      }
      const id = idOf(end.prim)
      if (id === 'UsdUVTexture') return { kind: 'texture', texture: textureOf(end.prim, end.name) }
      if (!id.startsWith('UsdPrimvarReader_')) return { kind: 'unknown' }
      const fallback = numbersAt(end.prim, 'inputs:fallback')
      return { kind: 'primvar', name: textAt(end.prim, 'inputs:varname') ?? '', fallback }
    },
    /** Returns the UsdPreviewSurface of a material. */
    surfaceOf(material: UsdPrim): UsdPrim | undefined {
      const end = endOf(material, 'outputs:surface')
      const isSurface = (prim: UsdPrim) => prim.type === 'Shader' && idOf(prim) === 'UsdPreviewSurface'
      return end && isSurface(end.prim) ? end.prim : material.children.find(isSurface)
    },
  }
}

const hasSamples = (shader: UsdPrim): boolean =>
  [...values.names(shader)].some((name) => name.startsWith('inputs:') && values.isAnimated(shader, name))

const channels = ['rgb', 'r', 'g', 'b', 'a'] as const
const wraps: Record<string, Wrap> = { repeat: 'repeat', mirror: 'mirror', clamp: 'clamp' }

const pair = (value: readonly number[] | undefined, otherwise: number): readonly [number, number] => [
  value?.[0] ?? otherwise,
  value?.[1] ?? otherwise,
]
const four = (value: readonly number[] | undefined, otherwise: number): readonly number[] =>
  [0, 1, 2, 3].map((k) => value?.[k] ?? otherwise)
