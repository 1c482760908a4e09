import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const MODELS = fileURLToPath(new URL('../../usdz/test/models/', import.meta.url))
const JSON_START = 20

/** Real models that damage is done to. */
export const soundModels = (): Uint8Array[] =>
  readdirSync(MODELS)
    .filter((name) => name.endsWith('.glb'))
    .toSorted()
    .map((name) => new Uint8Array(readFileSync(`${MODELS}${name}`)))

type Random = (below: number) => number
type Damage = (glb: Uint8Array, random: Random, others: Uint8Array[]) => Uint8Array

const HOSTILE = [
  '-1',
  '0',
  '1',
  '255',
  '65535',
  '2147483648',
  '4294967295',
  '1e308',
  '-0',
  '0.5',
  'null',
  '""',
  '[]',
  '{}',
  '[0]',
  'true',
  '"\\u0000"',
  '"data:,"',
]

const jsonLength = (glb: Uint8Array) => Math.min(new DataView(glb.buffer).getUint32(12, true), glb.length - JSON_START)

/** The same GLB with another text in its JSON chunk, told truly. */
function withText(glb: Uint8Array, text: string): Uint8Array {
  const json = Buffer.from(text)
  const padded = Buffer.concat([json, Buffer.alloc(-json.length & 3, 0x20)])
  const out = Buffer.concat([glb.subarray(0, JSON_START), padded, glb.subarray(JSON_START + jsonLength(glb))])
  out.writeUInt32LE(out.length, 8)
  out.writeUInt32LE(padded.length, 12)
  return new Uint8Array(out)
}
const textOf = (glb: Uint8Array) => Buffer.from(glb.subarray(JSON_START, JSON_START + jsonLength(glb))).toString()

/** Replaces one of the places that the pattern finds. */
const replaceOne = (glb: Uint8Array, random: Random, pattern: RegExp, by: (found: string) => string): Uint8Array => {
  const text = textOf(glb)
  const found = [...text.matchAll(pattern)]
  const one = found[random(found.length)]
  return one ? withText(glb, text.slice(0, one.index) + by(one[0]) + text.slice(one.index + one[0].length)) : glb
}

const damages: Damage[] = [
  function flipBytes(glb, random) {
    const out = glb.slice()
    for (let n = 1 + random(20); n > 0; n--) out[random(out.length)] = random(256)
    return out
  },
  function flipBytesOfJson(glb, random) {
    const out = glb.slice()
    for (let n = 1 + random(5); n > 0; n--) out[JSON_START + random(jsonLength(glb))] = 32 + random(95)
    return out
  },
  function cut(glb, random) {
    const out = glb.slice(0, 4 + random(glb.length - 4))
    // One half says how long it is now: then what is inside is cut off, not the container.
    if (out.length >= 12 && random(2)) new DataView(out.buffer).setUint32(8, out.length, true)
    return out
  },
  function changeNumber(glb, random) {
    return replaceOne(glb, random, /-?\d+(\.\d+)?(e[+-]?\d+)?/gi, () => HOSTILE[random(HOSTILE.length)]!)
  },
  function changeValue(glb, random) {
    return replaceOne(glb, random, /(?<=:)("[^"]*"|\[[^[\]{}]*\]|\{[^{}]*\})/g, () => HOSTILE[random(HOSTILE.length)]!)
  },
  function renameMember(glb, random) {
    return replaceOne(
      glb,
      random,
      /"[A-Za-z_0-9]+"(?=:)/g,
      (name) => [`"${name.slice(1, -1)}x"`, '"__proto__"', '"extensions"', '"extras"'][random(4)]!,
    )
  },
  function enlargeCount(glb, random) {
    return replaceOne(
      glb,
      random,
      /"(count|byteLength|byteOffset|byteStride|bufferView|componentType)":\d+/g,
      (member) => member.replace(/\d+/, String([2 ** 31, 2 ** 32, 2 ** 53, 1e9, 7][random(5)])),
    )
  },
  function changeLengths(glb, random) {
    const out = glb.slice()
    new DataView(out.buffer).setUint32(
      [4, 8, 12, 16][random(4)]!,
      [0, 1, 2 ** 31, 2 ** 32 - 1, out.length + 1, random(out.length)][random(6)]!,
      true,
    )
    return out
  },
  function repeatPiece(glb, random) {
    const at = random(glb.length)
    const piece = glb.subarray(at, at + random(2000))
    const to = 12 + random(glb.length - 12)
    const out = Buffer.concat([glb.subarray(0, to), piece, glb.subarray(to)])
    out.writeUInt32LE(out.length, 8)
    return new Uint8Array(out)
  },
  function withBytesOfAnother(glb, random, others) {
    const other = others[random(others.length)]!
    const out = Buffer.concat([
      glb.subarray(0, JSON_START + jsonLength(glb)),
      other.subarray(JSON_START + jsonLength(other)),
    ])
    out.writeUInt32LE(out.length, 8)
    return new Uint8Array(out)
  },
]

/** Damaged models, the same for the same seed: number `index` of it can be made again alone. */
export function mutants(models: Uint8Array[], seed: number) {
  return (index: number): { glb: Uint8Array; how: string } => {
    const random = randomFrom(seed * 1_000_003 + index)
    let glb = models[random(models.length)]!
    const how: string[] = []
    for (let n = 1 + random(3); n > 0; n--) {
      const damage = damages[random(damages.length)]!
      if (glb.length < 100) break
      glb = damage(glb, random, models)
      how.push(damage.name)
    }
    return { glb, how: how.join(', ') }
  }
}

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return below > 0 ? ((mixed ^ (mixed >>> 14)) >>> 0) % below : 0
  }
}
