import { tooLarge } from '../../errors.ts'
import { type GuardedJson, isObject } from '../json.ts'

/** How many of each thing are read: far more than any viewer shows, and little enough for the memory of one conversion. */
const most = {
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
const mostPrimitives = 50_000
const mostTargets = 20_000
const mostChannels = 100_000
const mostJoints = 200_000

/** Checks that a GLB does not list more things than are read, before any is made of them. @throws ConversionError naming them. */
export function guardCounts(json: GuardedJson): void {
  for (const [list, count] of Object.entries(most) as [keyof typeof most, number][]) {
    refuseMore(json[list].length, count, list === 'bufferViews' ? 'buffer views' : list)
  }
  const primitives = json.meshes.flatMap((mesh) => listOf(mesh.primitives))
  refuseMore(primitives.length, mostPrimitives, 'primitives')
  refuseMore(
    sum(primitives.map((primitive) => (isObject(primitive) ? primitive.targets : []))),
    mostTargets,
    'morph targets',
  )
  refuseMore(sum(json.animations.map(({ channels }) => channels)), mostChannels, 'channels of animations')
  refuseMore(sum(json.skins.map(({ joints }) => joints)), mostJoints, 'joints of skins')
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const sum = (values: unknown[]) => values.reduce<number>((total, value) => total + listOf(value).length, 0)

function refuseMore(count: number, atMost: number, what: string): void {
  if (count > atMost) throw tooLarge(`The GLB has ${count} ${what}; at most ${atMost} are read.`)
}
