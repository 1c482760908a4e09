type UsedVertices = { vertices: Uint32Array; indices: Uint32Array }

/**
 * Returns the vertices that triangles use, in order, and re-indexed triangles; undefined when all vertices are used.
 * Primitives often share a vertex array of which each draws a part: the others would enlarge the extent of the mesh.
 */
export function compactVertices(indices: Uint32Array, vertexCount: number): UsedVertices | undefined {
  if (indices.length * 2 <= vertexCount) return usedVertices(indices)
  const places = new Uint32Array(vertexCount)
  for (const vertex of indices) places[vertex] = 1
  let used = 0
  for (let vertex = 0; vertex < vertexCount; vertex++) used += places[vertex]!
  if (used === vertexCount) return undefined
  const vertices = new Uint32Array(used)
  let place = 0
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    if (places[vertex] === 0) continue
    places[vertex] = place
    vertices[place++] = vertex
  }
  return { vertices, indices: indices.map((vertex) => places[vertex]!) }
}

/** Returns the vertices that triangles use, in order, and re-indexed triangles: fast when these are few of many. */
export function usedVertices(indices: Uint32Array): UsedVertices {
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
