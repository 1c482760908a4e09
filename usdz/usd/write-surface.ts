import type { UvTransform } from '../scene/materials/material.ts'
import { originMetadata } from './origin-metadata.ts'
import { attribute, type Prim, type Property, port, shader } from './prim.ts'
import type { Sampler, Surface, SurfaceInput } from './surface.ts'
import { realityKitNetwork } from './write-realitykit.ts'

/**
 * Builds a Material prim with its shader network: one UsdPreviewSurface, one UsdUVTexture for each sampled file, one
 * primvar reader for each set of texture coordinates. Source: "UsdPreviewSurface Specification" of OpenUSD.
 */
export function materialPrim(surface: Surface, parent: string): Prim {
  const path = `${parent}/${surface.name}`
  const network = shaderNetwork(path)
  const inputs = surface.inputs.map((input) => surfaceInput(input, network))
  const realityKit = surface.realityKit && realityKitNetwork(surface.realityKit, path)
  return {
    name: surface.name,
    typeName: 'Material',
    ...originMetadata(surface.name, surface.origin),
    properties: [
      port('outputs:surface', 'token', `${path}/Surface.outputs:surface`),
      ...(realityKit ? [port('outputs:mtlx:surface', 'token', realityKit.output)] : []),
    ],
    children: [
      shader('Surface', 'UsdPreviewSurface', [...inputs, port('outputs:surface', 'token')]),
      ...network.shaders(),
      ...(realityKit?.shaders ?? []),
    ],
  }
}

type Texture = { path: string; outputs: Map<string, string>; properties: Property[] }

function shaderNetwork(path: string) {
  const textures = new Map<string, Texture>()
  const readers = new Map<string, Prim>()

  const coordinates = (primvar: string, transform?: UvTransform): string => {
    const reader = `Reader_${primvar}`
    readers.set(
      reader,
      shader(reader, 'UsdPrimvarReader_float2', [
        attribute('inputs:varname', 'string', primvar),
        port('outputs:result', 'float2'),
      ]),
    )
    const read = `${path}/${reader}.outputs:result`
    if (!transform) return read
    const key = JSON.stringify([primvar, transform])
    const name = transformNames.get(key) ?? `Transform_${transformNames.size}`
    transformNames.set(key, name)
    readers.set(name, transformShader(name, read, transform))
    return `${path}/${name}.outputs:result`
  }
  const transformNames = new Map<string, string>()

  return {
    /**
     * Adds a texture shader on first use.
     * @returns the path of the output with the channel.
     */
    texture(sampler: Sampler, channel: string): string {
      const key = JSON.stringify(sampler)
      let texture = textures.get(key)
      if (!texture) {
        const from = coordinates(sampler.primvar, sampler.transform)
        const texturePath = `${path}/Texture_${textures.size}`
        texture = { path: texturePath, outputs: new Map(), properties: textureInputs(sampler, from) }
        textures.set(key, texture)
      }
      texture.outputs.set(`outputs:${channel}`, channel === 'rgb' ? 'float3' : 'float')
      return `${texture.path}.outputs:${channel}`
    },
    /**
     * Adds a primvar reader.
     * @returns the path of its output; the fallback applies to meshes without the primvar.
     */
    vertexValue(primvar: string, fallback: number | readonly number[]): string {
      const type = typeof fallback === 'number' ? 'float' : 'float3'
      const name = `Reader_${primvar}`
      const ports = [attribute('inputs:fallback', type, fallback), port('outputs:result', type)]
      const variable = attribute('inputs:varname', 'string', primvar)
      readers.set(name, shader(name, `UsdPrimvarReader_${type}`, [variable, ...ports]))
      return `${path}/${name}.outputs:result`
    },
    shaders: (): Prim[] => [
      ...[...textures.values()].map(({ path: texturePath, outputs, properties }) =>
        shader(texturePath.slice(path.length + 1), 'UsdUVTexture', [
          ...properties,
          ...[...outputs].map(([name, typeName]) => port(name, typeName)),
        ]),
      ),
      ...readers.values(),
    ],
  }
}

function surfaceInput(input: SurfaceInput, network: ReturnType<typeof shaderNetwork>): Property {
  const name = `inputs:${input.name}`
  if ('primvar' in input) return port(name, input.typeName, network.vertexValue(input.primvar, input.fallback))
  if ('sampler' in input) return port(name, input.typeName, network.texture(input.sampler, input.channel))
  return attribute(name, input.typeName, input.value)
}

function textureInputs(sampler: Sampler, coordinates: string): Property[] {
  return [
    attribute('inputs:file', 'asset', sampler.file),
    attribute('inputs:sourceColorSpace', 'token', sampler.colorSpace),
    port('inputs:st', 'float2', coordinates),
    attribute('inputs:wrapS', 'token', sampler.wrapS),
    attribute('inputs:wrapT', 'token', sampler.wrapT),
    ...(sampler.scale ? [attribute('inputs:scale', 'float4', sampler.scale)] : []),
    ...(sampler.bias ? [attribute('inputs:bias', 'float4', sampler.bias)] : []),
  ]
}

/**
 * Converts KHR_texture_transform to USD, which counts v from the bottom: with v = 1 - t the scale and angle stay the
 * same and the offset changes.
 */
function transformShader(name: string, from: string, { offset, rotation, scale }: UvTransform): Prim {
  const translation = [offset[0] + Math.sin(rotation) * scale[1], 1 - Math.cos(rotation) * scale[1] - offset[1]]
  return shader(name, 'UsdTransform2d', [
    port('inputs:in', 'float2', from),
    attribute('inputs:rotation', 'float', (rotation * 180) / Math.PI),
    attribute('inputs:scale', 'float2', scale),
    attribute('inputs:translation', 'float2', translation),
    port('outputs:result', 'float2'),
  ])
}
