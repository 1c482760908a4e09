import { pick, type Random } from './random.ts'

type Key = string | number
type Branch = Record<Key, unknown>

/** Values that have broken readers: limits of number types, component types and modes of glTF, wrong types. */
const hostile: readonly unknown[] = [
  ...[-1, 0, 1, 2, 3, 4, 6, 7, 12, 16, 127, 255, 256, 65535, 65536, 1e6, 1e9, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53],
  ...[-0.5, 0.5, 1e-30, 1e38, 1e308, -1e308, 5120, 5121, 5122, 5123, 5125, 5126, 5130, 5131, 33071, 33648, 10497, 9728],
  ...['', 'x', '\u0000', '__proto__', 'SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT4', 'LINEAR', 'STEP', 'CUBICSPLINE'],
  ...['MASK', 'BLEND', 'translation', 'rotation', 'scale', 'weights', 'pointer', '/nodes/0/rotation', 'data:,', 'a/b'],
  ...['data:application/octet-stream;base64,AAAA', 'image/png', 'image/ktx2', 'TRIANGLES', 'ATTRIBUTES', 'INDICES'],
  ...['OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'NONE', null, true, false, [], {}, [0], [0, 0, 0], [[]], { index: 0 }],
]

/** Changes one place of a glTF's JSON, or a few related ones. Returns invalid JSON unchanged. */
export function mutateJson(text: string, random: Random): string {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return text
  }
  const places = placesIn(json)
  if (places.length === 0) return text
  pick(changes, random)(places, random)
  return JSON.stringify(json)
}

/** A member or an item: its parent and its key. */
type Place = { branch: Branch; key: Key }

function placesIn(value: unknown, list: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return list
  for (const key of Object.keys(value)) {
    list.push({ branch: value as Branch, key })
    placesIn((value as Branch)[key], list)
  }
  return list
}

type Change = (places: readonly Place[], random: Random) => void

const numbers = (places: readonly Place[]) => places.filter(({ branch, key }) => typeof branch[key] === 'number')

const changes: readonly Change[] = [
  function setHostile(places, random) {
    const { branch, key } = pick(places, random)
    branch[key] = structuredClone(pick(hostile, random))
  },
  function setNumber(places, random) {
    const { branch, key } = pick(numbers(places).length > 0 ? numbers(places) : places, random)
    branch[key] = pick(
      hostile.filter((value) => typeof value === 'number'),
      random,
    )
  },
  function nudgeNumber(places, random) {
    const { branch, key } = pick(numbers(places).length > 0 ? numbers(places) : places, random)
    branch[key] = Number(branch[key]) + pick([-2, -1, 1, 2, 4, 12, 0.5], random)
  },
  function remove(places, random) {
    const { branch, key } = pick(places, random)
    if (Array.isArray(branch)) branch.splice(Number(key), 1)
    else delete branch[key]
  },
  function repeat(places, random) {
    const lists = places.filter(({ branch }) => Array.isArray(branch))
    if (lists.length === 0) return
    const { branch, key } = pick(lists, random)
    const item = branch[key]
    const times = random(8) === 0 ? 3000 : 1
    for (let n = 0; n < times; n++) (branch as unknown as unknown[]).push(structuredClone(item))
  },
  function copyElsewhere(places, random) {
    const [from, to] = [pick(places, random), pick(places, random)]
    to.branch[to.key] = structuredClone(from.branch[from.key])
  },
  function swap(places, random) {
    const one = pick(places, random)
    const alike = places.filter(({ branch, key }) => typeof branch[key] === typeof one.branch[one.key])
    const other = pick(alike, random)
    const [a, b] = [structuredClone(one.branch[one.key]), structuredClone(other.branch[other.key])]
    one.branch[one.key] = b
    other.branch[other.key] = a
  },
  function rename(places, random) {
    const members = places.filter(({ branch }) => !Array.isArray(branch))
    if (members.length === 0) return
    const { branch, key } = pick(members, random)
    const other = String(pick(members, random).key)
    branch[pick([other, `${key}x`, '__proto__', 'extensions', 'extras', 'TEXCOORD_9', 'JOINTS_1'], random)] =
      branch[key]
    delete branch[key]
  },
]
