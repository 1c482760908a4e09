/** Statements of Wavefront OBJ, including comments. */
const OBJ_LINE =
  /^(?:#.*|(?:v|vt|vn|vp|f|l|p|o|g|s|mg|usemtl|mtllib|usemap|maplib|lod|bevel|[cd]_interp|cstype|deg|curv2?|surf|parm|end)(?:\s.*)?|\s*)$/
/** The header of a binary STL: 80 bytes of any kind, and the number of triangles, of 50 bytes each. */
const STL_HEADER = 84
const STL_TRIANGLE = 50

export const isPly = (head: Buffer): boolean => /^ply\r?\n/.test(head.toString('latin1', 0, 5))

/**
 * OBJ has no signature: its first lines are all statements, and one is a vertex, a library or an object. @param isCut
 * whether the file is longer than these bytes
 */
export function isObj(head: Buffer, isCut: boolean): boolean {
  const text = head.toString('latin1')
  if (text.includes('\0')) return false
  // A backslash continues a line.
  const lines = text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)
  if (isCut) lines.pop()
  return lines.every((line) => OBJ_LINE.test(line)) && lines.some((line) => /^(?:v\s+[-+.\d]|mtllib\s|o\s)/.test(line))
}

export const isTextStl = (head: Buffer): boolean =>
  /^\s*solid\b[\s\S]*?\bfacet\s+normal\b/i.test(head.toString('latin1'))

/** A binary STL has no signature: its name says it, and the bytes must not contradict. @param isCut as of `isObj` */
export function isBinaryStl(head: Buffer, isCut: boolean, fileName: string): boolean {
  if (!/\.stl$/i.test(fileName) || head.length < STL_HEADER + STL_TRIANGLE) return false
  const size = STL_HEADER + STL_TRIANGLE * head.readUInt32LE(STL_HEADER - 4)
  return isCut ? size >= head.length : size === head.length
}
