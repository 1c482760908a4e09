/**
 * Returns the vertices that triangles use, in order, and re-indexed triangles; undefined when most vertices are used.
 * Primitives often share a long vertex array of which each draws a small part.
 */
export function compactVertices(
  indices: Uint32Array,
  vertexCount: number,
): { vertices: Uint32Array; indices: Uint32Array } | undefined {
  return indices.length * 2 > vertexCount ? undefined : usedVertices(indices)
}

/** Returns the vertices that triangles use, in order, and re-indexed triangles. */
export function usedVertices(indices: Uint32Array): { vertices: Uint32Array; indices: Uint32Array } {
  const sorted = indices.slice().sort()
  let used = 0
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[used++] = sorted[i]!
  }
  const vertices = sorted.slice(0, used)
  const places = new Map<number, number>()
  for (let place = 0; place < used; place++) places.set(vertices[place]!, place)
  return { vertices, indices: indices.map((vertex) => places.get(vertex)!) }
}
