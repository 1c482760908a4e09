import { malformed, tooLarge, unsupported } from '../errors.ts'
import { meshKindOf } from '../meshes/mesh-file.ts'
import { hasSplats, type PlyElement, plyHeader } from '../meshes/ply-header.ts'
import { type PlyRow, plyRows } from '../meshes/ply-rows.ts'
import type { Splats } from './splats.ts'

/** Fourteen numbers of a digit and a blank. */
const minRowBytes = 28

/** The numbers of `f_rest_…` properties of each degree: three channels of all coefficients but the first. */
const restCounts = [0, 9, 24, 45]

/**
 * Reads the splats of a PLY as the reference trainer writes it (graphdeco-inria/gaussian-splatting): logarithms of scales,
 * logits of opacities, quaternions w x y z, and coefficients by channel.
 * @returns undefined for other bytes.
 * @throws ConversionError when the file is malformed, compressed or has more than `most` splats.
 */
export function readSplatPly(bytes: Uint8Array, most: number): Splats | undefined {
  if (meshKindOf(bytes) !== 'PLY') return undefined
  const header = plyHeader(bytes)
  if (!hasSplats(header) || header.elements.some(({ name, rows }) => name === 'face' && rows > 0)) return undefined
  const vertex = header.elements.find(({ name }) => name === 'vertex')
  const places = vertex && placesOf(vertex)
  if (!places) {
    throw unsupported(
      'The splats of the PLY are compressed, or lack properties. Save them as an uncompressed splat PLY.',
    )
  }
  if (vertex.rows > most) throw tooLarge(`The PLY has ${vertex.rows} splats; at most ${most} are converted.`)
  // A damaged header may count more splats than there are; those without a value end as a file that is cut off.
  const splats = emptySplats(Math.min(vertex.rows, Math.ceil(bytes.length / minRowBytes)), places.degree)
  let at = 0
  for (const { element, row } of plyRows(bytes, header)) if (element === vertex) put(splats, at++, row, places)
  return splats
}

type Places = ReturnType<typeof placesOf> & object

/** The places of the properties in a row; undefined if the element lacks one. */
function placesOf({ properties }: PlyElement) {
  const placeOf = (name: string) => properties.findIndex((property) => property.name === name && !property.count)
  const all = (...names: string[]) => names.map(placeOf)
  const rest = Array.from({ length: 45 }, (_, i) => placeOf(`f_rest_${i}`)).filter((place) => place >= 0)
  const places = {
    position: all('x', 'y', 'z'),
    scale: all('scale_0', 'scale_1', 'scale_2'),
    turn: all('rot_1', 'rot_2', 'rot_3', 'rot_0'),
    opacity: all('opacity'),
    color: all('f_dc_0', 'f_dc_1', 'f_dc_2'),
    rest,
    degree: restCounts.indexOf(rest.length),
  }
  const { position, scale, turn, opacity, color, degree } = places
  if ([position, scale, turn, opacity, color].flat().includes(-1)) return undefined
  if (degree < 0) throw malformed(`The PLY has ${rest.length} properties f_rest; splats have 0, 9, 24 or 45.`)
  return places
}

function emptySplats(count: number, degree: number): Splats {
  const floats = (size: number) => new Float32Array(count * size)
  const coefficients = floats(3 * (degree + 1) ** 2)
  return {
    positions: floats(3),
    scales: floats(3),
    orientations: floats(4),
    opacities: floats(1),
    degree,
    coefficients,
  }
}

function put(splats: Splats, at: number, row: PlyRow, places: Places): void {
  const number = (place: number | undefined) => row[place!] as number
  for (let k = 0; k < 3; k++) {
    splats.positions[at * 3 + k] = number(places.position[k])
    splats.scales[at * 3 + k] = Math.exp(number(places.scale[k]))
  }
  splats.opacities[at] = 1 / (1 + Math.exp(-number(places.opacity[0])))
  const turn = places.turn.map(number)
  const length = Math.hypot(...turn)
  for (let k = 0; k < 4; k++) splats.orientations[at * 4 + k] = length > 0 ? turn[k]! / length : k === 3 ? 1 : 0
  const size = (splats.degree + 1) ** 2
  for (let k = 0; k < 3; k++) {
    const channel = at * size * 3 + k
    splats.coefficients[channel] = number(places.color[k])
    for (let i = 1; i < size; i++) {
      splats.coefficients[channel + i * 3] = number(places.rest[k * (size - 1) + i - 1])
    }
  }
}
