import { tooLarge } from '../../errors.ts'
import { isObject, type ValidatedGltf } from '../json.ts'

/** The largest number of items of each kind: far more than viewers show, and within the memory of one conversion. */
const maxItems = {
  nodes: 100_000,
  meshes: 50_000,
  materials: 10_000,
  textures: 10_000,
  images: 10_000,
  samplers: 10_000,
  skins: 10_000,
  animations: 10_000,
  accessors: 150_000,
  bufferViews: 150_000,
} as const
const maxPrimitives = 50_000
const maxMorphTargets = 20_000
const maxChannels = 100_000
const maxJoints = 200_000

/**
 * Validates the number of items of a GLB before any is built.
 * @throws ConversionError naming the kind.
 */
export function validateCounts(json: ValidatedGltf): void {
  for (const [list, count] of Object.entries(maxItems) as [keyof typeof maxItems, number][]) {
    assertAtMost(json[list].length, count, list === 'bufferViews' ? 'buffer views' : list)
  }
  const primitives = json.meshes.flatMap((mesh) => listOf(mesh.primitives))
  assertAtMost(primitives.length, maxPrimitives, 'primitives')
  assertAtMost(
    sum(primitives.map((primitive) => (isObject(primitive) ? primitive.targets : []))),
    maxMorphTargets,
    'morph targets',
  )
  assertAtMost(sum(json.animations.map(({ channels }) => channels)), maxChannels, 'channels of animations')
  assertAtMost(sum(json.skins.map(({ joints }) => joints)), maxJoints, 'joints of skins')
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const sum = (values: unknown[]) => values.reduce<number>((total, value) => total + listOf(value).length, 0)

function assertAtMost(count: number, max: number, what: string): void {
  if (count > max) throw tooLarge(`The GLB has ${count} ${what}; at most ${max} are read.`)
}
