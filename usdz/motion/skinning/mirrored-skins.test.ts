import { NodeIO } from '@gltf-transform/core'
import { expect, test } from 'vitest'
import { convert, convertToGlb } from '../../index.ts'
import { movingModel, turn } from '../../test/features/models/animated-model.ts'
import { tube } from '../../test/features/models/soft-bodies.ts'

/** The share of triangles whose front is where their normals point, less that of the others, in a converted tube. */
async function frontOf({ mesh, rig, normals = true }: { mesh: number; rig: number; normals?: boolean }) {
  const model = movingModel()
  const top = model.node('Rig').setScale([rig, 1, 1])
  const chain = model.chain(3, top)
  const body = tube(model, 3)
  if (mesh < 0) {
    // As programs write a mesh that its node mirrors: the vertices as they are seen, the triangles as they were.
    const indices = body.getIndices()!.getArray()!
    for (let i = 0; i < indices.length; i += 3) indices.subarray(i + 1, i + 3).reverse()
  }
  if (!normals) body.setAttribute('NORMAL', null)
  model.body('Body', model.mesh('Body', body), model.skin(chain), mesh < 0 ? top : undefined)
  model.move('Bend', chain[1]!, 'rotation', [0, 1], [turn([1, 0, 0], 0), turn([1, 0, 0], 60)])
  const { usdz } = await convert(await model.glb())
  const document = await new NodeIO().readBinary((await convertToGlb(usdz)).glb)
  const made = document.getRoot().listMeshes()[0]!.listPrimitives()[0]!
  const vectors = (name: string, corner: number): number[] =>
    made.getAttribute(name)!.getElement(made.getIndices()!.getScalar(corner), [])
  let sum = 0
  let outward = 0
  for (let i = 0; i < made.getIndices()!.getCount(); i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => vectors('POSITION', i + k)) as [number[], number[], number[]]
    const [u, v] = [b, c].map((p) => p.map((value, k) => value - a[k]!)) as [number[], number[]]
    const face = [0, 1, 2].map((k) => u[(k + 1) % 3]! * v[(k + 2) % 3]! - u[(k + 2) % 3]! * v[(k + 1) % 3]!)
    const along = (vector: number[]) => Math.sign(vector.reduce((total, value, k) => total + value * face[k]!, 0))
    sum += along(vectors('NORMAL', i))
    outward += along([a[0]!, 0, a[2]!])
  }
  const triangles = made.getIndices()!.getCount() / 3
  return [sum / triangles, Math.sign(outward)]
}

test('a node that mirrors decides which side of the triangles of a skin is the front, though joints place them', async () => {
  expect(await frontOf({ mesh: 1, rig: 1 })).toEqual([1, 1])
  expect(await frontOf({ mesh: -1, rig: -1 })).toEqual([1, 1])
})

test('normals that the model lacks point to that side', async () => {
  expect(await frontOf({ mesh: -1, rig: -1, normals: false })).toEqual([1, 1])
})
