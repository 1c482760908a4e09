import { EXTMeshGPUInstancing, KHRNodeVisibility } from '@gltf-transform/extensions'
import { describe, expect, test } from 'vitest'
import { convert } from '../index.ts'
import { givenModel, withJson } from '../test/content/models.ts'
import { openUsdz } from '../test/open-usdz.ts'

const opened = async (glb: Uint8Array) => openUsdz((await convert(glb)).usdz)

/** A node with a square, an instance at each x y z. */
async function forest(...translations: number[]): Promise<Uint8Array> {
  const model = givenModel()
  const instances = model.document
    .createExtension(EXTMeshGPUInstancing)
    .createInstancedMesh()
    .setAttribute('TRANSLATION', model.accessor('VEC3', Float32Array.from(translations)))
  model.node('Trees', model.mesh('Tree', model.square())).setExtension('EXT_mesh_gpu_instancing', instances)
  return await model.glb()
}

describe('the scene', () => {
  test('keeps the hierarchy, names and transforms of nodes', async () => {
    const model = givenModel()
    const arm = model.node('Arm').setTranslation([1, 2, 3])
    model.node('Hand', model.mesh('Palm', model.square()), arm).setScale([2, 2, 2])

    const usd = await opened(await model.glb())
    expect(usd.prims('Mesh').map(({ path }) => path)).toEqual(['/Root/Arm/Hand/Palm'])
    expect(usd.matrix('/Root/Arm.xformOp:transform')!.slice(12)).toEqual([1, 2, 3, 1])
    expect(usd.matrix('/Root/Arm/Hand.xformOp:transform')!.slice(0, 3)).toEqual([2, 0, 0])
  })

  test('keeps the size of a node whose rounded rotation is not a unit quaternion', async () => {
    const model = givenModel()
    model.node('Turned', model.mesh('Palm', model.square())).setRotation([0, 0, 0.71, 0.71])
    const matrix = (await opened(await model.glb())).matrix('/Root/Turned.xformOp:transform')!
    expect(matrix.map((value) => Number(value.toFixed(6)))).toEqual([0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
  })

  test('keeps a sheared matrix', async () => {
    const model = givenModel()
    model.node('Leaning', model.mesh('Palm', model.square()))
    const matrix = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1]
    const glb = withJson(await model.glb(), (json) => {
      for (const node of json.nodes as Record<string, unknown>[]) node.matrix = matrix
    })
    expect((await opened(glb)).matrix('/Root/Leaning.xformOp:transform')).toEqual(matrix)
  })

  test('gives each primitive of a mesh its own Mesh', async () => {
    const model = givenModel()
    model.node('Body', model.mesh('Skin', model.square(), model.square()))
    const usd = await opened(await model.glb())
    expect(usd.prims('Mesh').map(({ path }) => path)).toEqual(['/Root/Body/Skin', '/Root/Body/Skin_1'])
  })

  test('shares the arrays of a mesh used by several nodes', async () => {
    const mesh = (model: ReturnType<typeof givenModel>) => {
      const array = Float32Array.from({ length: 30_000 }, (_, i) => Math.sin(i))
      return model.mesh('Big', model.primitive({ POSITION: { type: 'VEC3', array } }))
    }
    const [one, many] = [givenModel(), givenModel()]
    one.node('A', mesh(one))
    const shared = mesh(many)
    for (const name of ['A', 'B', 'C', 'D']) many.node(name, shared)

    const size = async (model: typeof one) => (await convert(await model.glb())).usdz.length
    expect((await size(many)) - (await size(one))).toBeLessThan(1000)
  })

  test('expands instances, each at its position', async () => {
    const usd = await opened(await forest(0, 0, 0, 5, 6, 7))
    expect(usd.prims('Mesh').map(({ path }) => path)).toEqual(['/Root/Trees/Tree/Tree', '/Root/Trees/Tree_1/Tree'])
    expect(usd.matrix('/Root/Trees/Tree_1.xformOp:transform')!.slice(12)).toEqual([5, 6, 7, 1])
  })

  test('limits stored triangles once, and drawn ones including instances to ten times as many', async () => {
    const limits = { triangles: 2 }
    const trees = (count: number) => forest(...new Array<number>(count * 3).fill(0))
    expect((await convert(await trees(10), { limits })).report.triangles).toBe(20)
    await expect(convert(await trees(11), { limits })).rejects.toMatchObject({ code: 'too_large' })

    const model = givenModel()
    for (const x of [1, -1]) model.node('Hand', model.mesh('Hand', model.square())).setScale([x, 1, 1])
    await expect(convert(await model.glb(), { limits })).rejects.toMatchObject({ code: 'too_large' })
  })

  test('refuses instances with a missing accessor', async () => {
    const glb = await forest(0, 0, 0, 5, 6, 7)
    for (const accessor of [99, -1, 'x', null]) {
      const broken = withJson(glb, (json) => {
        const [node] = json.nodes as { extensions: Record<string, { attributes: Record<string, unknown> }> }[]
        node!.extensions.EXT_mesh_gpu_instancing!.attributes.TRANSLATION = accessor
      })
      await expect(convert(broken)).rejects.toMatchObject({
        code: 'malformed',
        message: 'The TRANSLATION of the instances of node 0 names an accessor that does not exist.',
      })
    }
  })

  test('replaces a mirrored node by mirrored vertices, so that no viewer shows it inside out', async () => {
    const model = givenModel()
    model.node('Left', model.mesh('Hand', model.square())).setScale([-1, 1, 1])
    const usd = await opened(await model.glb())

    expect(usd.matrix('/Root/Left.xformOp:transform')![0]).toBe(-1)
    expect(usd.matrix('/Root/Left/Hand.xformOp:transform')![0]).toBe(-1)
    expect([...usd.floats('/Root/Left/Hand.points')!.subarray(3, 6)]).toEqual([-1, 0, 0])
    expect([...usd.integers('/Root/Left/Hand.faceVertexIndices')!]).toEqual([0, 2, 1, 0, 3, 2])
    expect([...usd.floats('/Root/Left/Hand.extent')!]).toEqual([-1, 0, 0, -0, 1, 0])
  })

  test('omits hidden nodes with a note', async () => {
    const model = givenModel()
    const hidden = model.document.createExtension(KHRNodeVisibility).createVisibility().setVisible(false)
    const mesh = model.mesh('Hand', model.square())
    model.node('Shown', mesh)
    model.node('Hidden', mesh).setExtension('KHR_node_visibility', hidden)
    const { usdz, report } = await convert(await model.glb())
    expect(openUsdz(usdz).prims('Mesh')).toHaveLength(1)
    expect(report.notes.map(({ code }) => code)).toContain('hidden_nodes')
  })

  test('uses the first scene without a default one; without any, all nodes', async () => {
    const model = givenModel()
    model.node('Square', model.mesh('Square', model.square()))
    const glb = await model.glb()
    const noDefault = withJson(glb, (json) => delete json.scene)
    const noScenes = withJson(glb, (json) => {
      delete json.scene
      delete json.scenes
    })
    for (const variant of [noDefault, noScenes]) expect((await convert(variant)).report.triangles).toBe(2)
  })

  test('places a skinned mesh by its joints, not by its node', async () => {
    const model = givenModel()
    const corners = {
      type: 'VEC4',
      array: Uint8Array.from({ length: 16 }, (_, i) => (i % 4 === 0 ? Math.floor(i / 8) : 0)),
    } as const
    const weights = { type: 'VEC4', array: Float32Array.from({ length: 16 }, (_, i) => (i % 4 === 0 ? 1 : 0)) } as const
    const square = model.square()
    square.setAttribute('JOINTS_0', model.accessor(corners.type, corners.array))
    square.setAttribute('WEIGHTS_0', model.accessor(weights.type, weights.array))
    const still = model.node('Still')
    const lifted = model.node('Lifted', undefined, still).setTranslation([0, 10, 0])
    const skin = model.document.createSkin().addJoint(still).addJoint(lifted)
    model.node('Body', model.mesh('Skin', square)).setSkin(skin).setTranslation([99, 99, 99])

    const { usdz, report } = await convert(await model.glb())
    const usd = openUsdz(usdz)
    const [mesh] = usd.prims('Mesh')
    // The rest position of the first joint: the skeleton moves the upper corners to theirs.
    expect([...usd.floats(`${mesh!.path}.points`)!]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0])
    expect(usd.matrix(`${mesh!.path}.xformOp:transform`)).toBeUndefined()
    expect([...usd.integers(`${mesh!.path}.primvars:skel:jointIndices`)!]).toEqual([1, 1, 2, 2])
    expect(usd.tokens('/Root/Deforming/Skeleton.joints')).toEqual(['Origin', 'Origin/Still', 'Origin/Still/Lifted'])
    expect(report).toMatchObject({ skins: 1, notes: [] })
  })
})
