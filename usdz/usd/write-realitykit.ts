import type { Wrap } from '../scene/materials/material.ts'
import { attribute, type Prim, type Property, port, shader } from './prim.ts'
import { plainPrimvar, type RealityKitSurface, type Sampler } from './surface.ts'

type Input = RealityKitSurface['inputs'][number]
type Sampled = Extract<Input, { sampler: Sampler }>

/**
 * Builds the shaders of a MaterialX network for RealityKit: one surface, one image node for each use of a file, one
 * reader for each set of texture coordinates. Sources: the nodes of Apple's documentation "ShaderGraph", the standard
 * library of MaterialX 1.38.
 * @param path the path of the material, whose prim gets the shaders.
 */
export function realityKitNetwork(surface: RealityKitSurface, path: string): { output: string; shaders: Prim[] } {
  const nodes = new Map<string, Prim>()
  const inputs = surface.inputs.map((input) => surfaceInput(input, nodes, path))
  const id = `ND_realitykit_${surface.shader}_surfaceshader`
  return {
    output: `${path}/RealityKit.outputs:out`,
    shaders: [shader('RealityKit', id, [...inputs, port('outputs:out', 'token')]), ...nodes.values()],
  }
}

/** The types that the nodes declare: a vector has no role. */
const plainType = (typeName: string) => (typeName === 'normal3f' ? 'float3' : typeName)

function surfaceInput(input: Input, nodes: Map<string, Prim>, path: string): Property {
  const name = `inputs:${input.name}`
  const type = plainType(input.typeName)
  const { factor = 1 } = input
  if ('value' in input) return attribute(name, type, input.value)
  if ('primvar' in input) throw new Error(`${path}: RealityKit reads no vertex values for ${input.name}`)
  const read = sampled(input, nodes, path)
  if (factor === 1) return port(name, type, read)
  const times = `${input.name}_times`
  nodes.set(
    times,
    shader(times, 'ND_multiply_color3FA', [
      port('inputs:in1', type, read),
      attribute('inputs:in2', 'float', factor),
      port('outputs:out', type),
    ]),
  )
  return port(name, type, `${path}/${times}.outputs:out`)
}

/**
 * Adds the nodes that sample a texture, each once.
 * @returns the path of the output with the value.
 */
function sampled({ sampler, channel, typeName }: Sampled, nodes: Map<string, Prim>, path: string): string {
  if (channel === 'a') {
    const image = imageNode(sampler, 'color4', 'color4f', nodes, path)
    const outputs = ['outr', 'outg', 'outb', 'outa'].map((name) => port(`outputs:${name}`, 'float'))
    return `${path}/${after(image, 'Separate', 'ND_separate4_color4', 'color4f', outputs, nodes, path)}.outputs:outa`
  }
  if (typeName === 'normal3f') {
    const image = imageNode(sampler, 'vector3', 'float3', nodes, path)
    const output = [port('outputs:out', 'float3')]
    return `${path}/${after(image, 'Decode', 'ND_normal_map_decode', 'float3', output, nodes, path)}.outputs:out`
  }
  // A float is the first channel of an image: the others have files of their own.
  const [kind, type] = channel === 'rgb' ? ['color3', 'color3f'] : ['float', 'float']
  return `${path}/${imageNode(sampler, kind!, type!, nodes, path)}.outputs:out`
}

/** Adds a node whose input is an image node. */
function after(
  image: string,
  job: string,
  id: string,
  type: string,
  outputs: Property[],
  nodes: Map<string, Prim>,
  path: string,
): string {
  const name = `${job}_${image}`
  nodes.set(name, shader(name, id, [port('inputs:in', type, `${path}/${image}.outputs:out`), ...outputs]))
  return name
}

const addressModes: Record<Wrap, string> = { repeat: 'periodic', mirror: 'mirror', clamp: 'clamp' }

function imageNode(
  { file, colorSpace, wrapS, wrapT, primvar }: Sampler,
  kind: string,
  type: string,
  nodes: Map<string, Prim>,
  path: string,
): string {
  const properties = [
    // Data have no colour space: RealityKit does not know MaterialX's "raw".
    attribute('inputs:file', 'asset', file, colorSpace === 'sRGB' ? { colorSpace: 'srgb_texture' } : {}),
    port('inputs:texcoord', 'float2', `${path}/${coordinates(primvar, nodes)}.outputs:out`),
    attribute('inputs:uaddressmode', 'string', addressModes[wrapS]),
    attribute('inputs:vaddressmode', 'string', addressModes[wrapT]),
    port('outputs:out', type),
  ]
  const equal = (prim: Prim) => JSON.stringify(prim.properties.slice(1)) === JSON.stringify(properties)
  const known = [...nodes.values()].find(equal)
  if (known) return known.name
  const count = [...nodes.keys()].filter((name) => name.startsWith('Image_')).length
  const name = `Image_${count}`
  nodes.set(name, shader(name, `ND_image_${kind}`, properties))
  return name
}

/** Adds the node that reads texture coordinates; RealityKit's own node reads the first set. */
function coordinates(primvar: string, nodes: Map<string, Prim>): string {
  const name = `Coordinates_${primvar}`
  const output = port('outputs:out', 'float2')
  const node =
    primvar === plainPrimvar(0)
      ? shader(name, 'ND_texcoord_vector2', [attribute('inputs:index', 'int', 0), output])
      : shader(name, 'ND_geompropvalue_vector2', [attribute('inputs:geomprop', 'string', primvar), output])
  nodes.set(name, node)
  return name
}
