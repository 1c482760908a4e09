import { LINEAR } from '../../preview/canvas.ts'
import { render } from '../../preview/render.ts'
import { upOf } from '../../preview/up-axis.ts'
import { damaged, type Inspection } from '../../processing/inspection.ts'
import { growingFloats, growingIntegers } from '../growable-arrays.ts'
import { type OpenFile, unread } from '../open-file.ts'
import { CLOUD_MAX_POINTS, MESH_MAX_TRIANGLES, MESH_MAX_VERTICES, plainMaterial } from '../ply/ply-shapes.ts'
import { type Positions, positionsReader } from '../positions.ts'
import { eachLine, type Words } from './obj-lines.ts'

/** More corners than a face of any real model. */
const MAX_CORNERS = 10_000

/**
 * Reads a Wavefront OBJ file: vertices, with optional colours, and faces; without faces it is a point cloud. Materials and
 * images are in other files, which are not uploaded: the model is drawn grey.
 * @throws ScanFault
 */
export async function inspectObj(file: OpenFile): Promise<Inspection> {
  const positions = positionsReader()
  const shapes = shapesReader(positions)
  await eachLine(file.bytes, (words) => {
    if (words.is('v')) shapes.vertex(words)
    else if (words.is('f')) shapes.face(words)
  })
  const { vertices, triangles, isFull } = shapes.counts()
  if (vertices === 0) throw damaged('The OBJ file has no vertices.')
  const bounds = positions.bounds()
  const strays = positions.strays()
  const found = { ...unread('OBJ'), bounds, ...(triangles > 0 ? { triangles } : { points: vertices }) }
  if (strays > 0) found.notes.push(`${strays} vertices have coordinates that are not finite numbers.`)
  if (isFull) {
    const most = `${MESH_MAX_VERTICES} vertices or ${MESH_MAX_TRIANGLES} triangles`
    found.notes.push(`The model has more than ${most}: it is kept without a preview.`)
    return found
  }
  const up = upOf(bounds, 'y')
  return { ...found, preview: await render({ meshes: [], pointClouds: [], ...shapes.shown(), up }) }
}

function shapesReader(positions: Positions) {
  const points = growingFloats()
  const colors = growingFloats()
  const indices = growingIntegers(MESH_MAX_TRIANGLES * 3)
  const corners = new Uint32Array(MAX_CORNERS)
  let vertices = 0
  let triangles = 0
  let largest = 0
  let isFull = false

  return {
    vertex(words: Words) {
      const [x, y, z] = [words.number(), words.number(), words.number()]
      const origin = positions.reach(x, y, z)
      vertices++
      if (vertices > MESH_MAX_VERTICES) isFull = true
      if (isFull) return
      // A vertex with non-finite coordinates removes its triangles.
      if (origin) points.add(x - origin[0], y - origin[1], z - origin[2])
      else points.add(Number.NaN, Number.NaN, Number.NaN)
      const [r, g, b] = [words.number(), words.number(), words.number()]
      // A single number after the coordinates is a weight.
      if (!Number.isNaN(b)) colors.add(linear(r), linear(g), linear(b))
    },

    face(words: Words) {
      let count = 0
      for (let index = words.number(); !Number.isNaN(index); index = words.number()) {
        if (count === MAX_CORNERS)
          throw damaged(`A face of the OBJ file has more corners than the ${MAX_CORNERS} that are read.`)
        // 1-based, or negative from the last vertex before the face.
        const vertex = index < 0 ? vertices + index : index - 1
        if (!(vertex >= 0)) throw damaged(`A face of the OBJ file names vertex ${index}.`)
        largest = Math.max(largest, vertex)
        corners[count++] = vertex
      }
      triangles += Math.max(0, count - 2)
      if (triangles > MESH_MAX_TRIANGLES) isFull = true
      if (isFull) return
      for (let corner = 2; corner < count; corner++)
        indices.triangle(corners[0]!, corners[corner - 1]!, corners[corner]!)
    },

    counts() {
      if (triangles > 0 && largest >= vertices)
        throw damaged(`A face of the OBJ file names vertex ${largest + 1}, it has ${vertices}.`)
      return { vertices, triangles, isFull: isFull || (triangles === 0 && vertices > CLOUD_MAX_POINTS) }
    },

    shown() {
      const isColored = colors.length === points.length
      const transforms = [positions.place()]
      if (triangles === 0) return { pointClouds: [{ points: points.all(), transforms }] }
      const surface = {
        points: points.all(),
        indices: indices.all(),
        ...(isColored && { colors: colors.all() }),
        material: plainMaterial(isColored),
        transforms,
      }
      return { meshes: [surface] }
    },
  }
}

/** Colours from 0 to 1, in sRGB. */
const linear = (value: number) => LINEAR[Math.max(0, Math.min(255, Math.round(value * 255)))] ?? 0
