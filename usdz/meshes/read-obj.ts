import { malformed } from '../errors.ts'
import { type Loss, type MeshFile, triangleCollector } from './mesh-file.ts'
import { inLine, numberIn, textLines } from './text-lines.ts'
import { floatList, vertexTable } from './vertex-table.ts'

/**
 * Reads the triangles of a Wavefront OBJ as one mesh, with vertex colours behind positions: a vertex without one is
 * white, as a mesh without colours is. Materials are in another file, and are not read.
 */
export function readObj(bytes: Uint8Array, maxTriangles: number): MeshFile {
  const list = (size: number) => floatList(size, 3 * maxTriangles)
  const [v, vt, vn, vc] = [list(3), list(2), list(3), list(3)]
  const losses = new Set<Loss>()
  const triangles = triangleCollector(maxTriangles)
  const vertices = vertexTable()

  const vertexOf = (text: string): number => {
    const [position, uv, normal] = text.split('/')
    return vertices.numberOf(
      resolve(position, v.length() / 3, 'v'),
      uv ? resolve(uv, vt.length() / 2, 'vt') : none,
      normal ? resolve(normal, vn.length() / 3, 'vn') : none,
    )
  }
  const push = (to: FloatList, words: readonly string[], from: number, count: number) => {
    for (let k = from; k < from + count; k++) to.push(numberIn(words[k]))
  }
  const whiten = (length: number) => {
    while (vc.length() < length) vc.push(1)
  }
  const readLine = ([word = '', ...rest]: readonly string[]) => {
    const loss = lossOf.get(word)
    if (loss) losses.add(loss)
    else if (word === 'v') {
      push(v, rest, 0, 3)
      if (rest.length >= 6) {
        whiten(v.length() - 3)
        push(vc, rest, 3, 3)
      }
    } else if (word === 'vt') push(vt, rest.length === 1 ? [...rest, '0'] : rest, 0, 2)
    else if (word === 'vn') push(vn, rest, 0, 3)
    else if (word === 'f') {
      if (rest.length < 3) throw malformed(`A face has ${rest.length} corners.`)
      triangles.polygon(rest.map(vertexOf))
    }
  }
  for (const words of textLines(bytes)) inLine(words, () => readLine(words))
  const corners = vertices.finish()
  const [uvs, normals] = [gathered(vt.finish(), 2, corners, 1), gathered(vn.finish(), 3, corners, 2)]
  if (vc.length() > 0) whiten(v.length())
  const colors = vc.length() > 0 ? gathered(vc.finish(), 3, corners, 0) : undefined
  if (vt.length() > 0 && !uvs) losses.add(partial('texture coordinates'))
  if (vn.length() > 0 && !normals) losses.add(partial('normals'))
  return {
    positions: gathered(v.finish(), 3, corners, 0)!,
    indices: triangles.finish(vertices.count()),
    ...(uvs && { uvs }),
    ...(normals && { normals }),
    ...(colors && { colors }),
    leftOut: [...losses],
  }
}

type FloatList = ReturnType<typeof floatList>

const materials: Loss = {
  code: 'obj_materials',
  message: 'The materials of the OBJ are left out: they are in another file, which is not read.',
}
const otherShapes: Loss = { code: 'no_triangles', message: 'Points, lines and curves are left out.' }
const partial = (values: string): Loss => ({
  code: 'partial_attribute',
  message: `The ${values} of the OBJ are left out: not all faces have them.`,
})
/** What each statement loses that is not read. */
const lossOf = new Map<string, Loss>([
  ...['mtllib', 'usemtl'].map((word) => [word, materials] as const),
  ...['p', 'l', 'curv', 'curv2', 'surf'].map((word) => [word, otherShapes] as const),
])

/** A corner without a texture coordinate or a normal. */
const none = -1

/**
 * Returns the values that the corners name in their part `which`; undefined unless all name one.
 * @param size the number of values of an element.
 */
function gathered(values: Float32Array, size: number, corners: Int32Array, which: number): Float32Array | undefined {
  const out = new Float32Array((corners.length / 3) * size)
  for (let corner = 0; corner < corners.length / 3; corner++) {
    const place = corners[corner * 3 + which]!
    if (place === none) return undefined
    for (let k = 0; k < size; k++) out[corner * size + k] = values[place * size + k]!
  }
  return out
}

/** The place of an element that a face names: from 1 up, or from −1 down, counted from the last. */
function resolve(text: string | undefined, count: number, what: string): number {
  const number = numberIn(text)
  const place = number < 0 ? count + number : number - 1
  if (!Number.isInteger(place) || place < 0 || place >= count) {
    throw malformed(`A face names ${what} ${text}; the file has ${count} before it.`)
  }
  return place
}
