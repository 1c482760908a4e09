import { tooLarge } from '../errors.ts'
import { type AnimatedValue, unionOfTimes, writeSamples } from '../motion/animation/curve.ts'
import type { DeformingMeshes, DeformingPart } from '../motion/skinning/deforming-meshes.ts'
import { compose } from '../scene/matrix.ts'
import { type Attribute, attribute, type Prim, type Property, relationship, storedValue } from './prim.ts'

const skeletonName = 'Skeleton'
const animationName = 'Animation'

/** The largest number of values in all samples; each sample has the value of every joint. */
const maxSampled = 20_000_000

/**
 * Builds the SkelRoot of the deforming meshes: its Skeleton with the SkelAnimation, and the meshes. Skeleton and
 * animation are bound on each mesh, since Apple's viewers do not look at ancestors. Source: OpenUSD, "UsdSkel schemas".
 * @param writeMesh builds the plain Mesh prim of a part.
 */
export function skelRoot(
  deforming: DeformingMeshes & { name: string },
  path: string,
  writeMesh: (part: DeformingPart) => Prim,
): Prim {
  const skeletonPath = `${path}/${skeletonName}`
  const animationPath = `${skeletonPath}/${animationName}`
  return {
    name: deforming.name,
    typeName: 'SkelRoot',
    properties: [attribute('extent', 'float3[]', deforming.extent)],
    children: [
      skeleton(deforming, animationPath),
      ...deforming.parts.map((part) => bound(writeMesh(part), part, deforming, path, skeletonPath, animationPath)),
    ],
  }
}

function skeleton({ joints, binds, channels }: DeformingMeshes, animationPath: string): Prim {
  const paths = jointPaths(joints)
  const rests = joints.flatMap(({ translation, rotation, scale }) =>
    compose(translation.rest, rotation.rest, scale.rest),
  )
  return {
    name: skeletonName,
    typeName: 'Skeleton',
    apiSchemas: ['SkelBindingAPI'],
    properties: [
      attribute('bindTransforms', 'matrix4d[]', Float64Array.from(binds.flat()), { uniform: true }),
      attribute('joints', 'token[]', paths, { uniform: true }),
      attribute('restTransforms', 'matrix4d[]', Float64Array.from(rests), { uniform: true }),
      relationship('skel:animationSource', animationPath),
    ],
    children: [animation({ joints, channels }, paths)],
  }
}

function animation({ joints, channels }: Pick<DeformingMeshes, 'joints' | 'channels'>, paths: string[]): Prim {
  const sampled = sampler()
  const weights = channels.map(({ weight }) => weight)
  const shapes: Property[] = [
    attribute(
      'blendShapes',
      'token[]',
      channels.map(({ name }) => name),
      { uniform: true },
    ),
    sampled('blendShapeWeights', 'float[]', weights),
  ]
  return {
    name: animationName,
    typeName: 'SkelAnimation',
    properties: [
      ...(channels.length > 0 ? shapes : []),
      attribute('joints', 'token[]', paths, { uniform: true }),
      sampled(
        'rotations',
        'quatf[]',
        joints.map(({ rotation }) => rotation),
      ),
      sampled(
        'scales',
        'half3[]',
        joints.map(({ scale }) => scale),
      ),
      sampled(
        'translations',
        'float3[]',
        joints.map(({ translation }) => translation),
      ),
    ],
    children: [],
  }
}

/** Writes the rest values of a list, and samples at every key when one of them is animated. */
function sampler() {
  let numbers = 0
  return (name: string, typeName: string, values: readonly AnimatedValue[]): Attribute => {
    const times = unionOfTimes(values.map(({ curve }) => curve))
    const size = values[0]?.rest.length ?? 0
    numbers += times.length * values.length * size
    if (numbers > maxSampled) {
      throw tooLarge(
        `The animations of skins have more than ${maxSampled} values: ${times.length} keys for ${values.length} joints.`,
      )
    }
    const rest = attribute(name, typeName, Float32Array.from(values.flatMap((value) => value.rest)))
    if (times.length === 0) return rest
    const arrays = times.map(() => new Float32Array(values.length * size))
    for (const [index, value] of values.entries()) writeSamples(value, times, arrays, index * size)
    return { ...rest, samples: { times, values: arrays.map((array) => storedValue(typeName, array)) } }
  }
}

function jointPaths(joints: DeformingMeshes['joints']): string[] {
  const paths: string[] = []
  for (const { name, parent } of joints) paths.push(parent < 0 ? name : `${paths[parent]}/${name}`)
  return paths
}

/** Binds a mesh to the skeleton and adds its blend shapes. */
function bound(
  mesh: Prim,
  { influences, shapes }: DeformingPart,
  { channels }: DeformingMeshes,
  path: string,
  skeletonPath: string,
  animationPath: string,
): Prim {
  const { indices, weights, size } = influences
  const primvar = { interpolation: 'vertex', elementSize: size } as const
  const moved: Property[] = [
    attribute(
      'skel:blendShapes',
      'token[]',
      shapes.map(({ channel }) => channels[channel]!.name),
      { uniform: true },
    ),
    relationship('skel:blendShapeTargets', ...shapes.map(({ name }) => `${path}/${mesh.name}/${name}`)),
  ]
  return {
    ...mesh,
    apiSchemas: [...(mesh.apiSchemas ?? []), 'SkelBindingAPI'],
    properties: [
      ...mesh.properties,
      attribute('primvars:skel:jointIndices', 'int[]', indices, primvar),
      attribute('primvars:skel:jointWeights', 'float[]', weights, primvar),
      relationship('skel:animationSource', animationPath),
      ...(shapes.length > 0 ? moved : []),
      relationship('skel:skeleton', skeletonPath),
    ],
    children: [...mesh.children, ...shapes.map(blendShape)],
  }
}

const blendShape = ({ name, vertices, offsets, normalOffsets }: DeformingPart['shapes'][number]): Prim => ({
  name,
  typeName: 'BlendShape',
  properties: [
    attribute('normalOffsets', 'vector3f[]', normalOffsets, { uniform: true }),
    attribute('offsets', 'vector3f[]', offsets, { uniform: true }),
    attribute('pointIndices', 'int[]', vertices, { uniform: true }),
  ],
  children: [],
})
