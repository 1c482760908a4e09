import { EXTMeshGPUInstancing } from '@gltf-transform/extensions'
import { withJson } from '../content/models.ts'
import type { Feature } from './feature.ts'
import { type MovingModel, movingModel, turn } from './models/animated-model.ts'
import { dough, paint, tube } from './models/soft-bodies.ts'
import { cube } from './models/solids.ts'

const still = [
  [0, 0, 0],
  [1, 2, 0],
  [2, 0, 1],
] as const
const turns = [turn([0, 1, 0], 0), turn([1, 1, 0], 100), turn([0, 1, 1], 190)]

/** Two blocks, one below the other, and the motion of the upper one. */
const block = (move: (model: MovingModel, node: ReturnType<MovingModel['node']>) => void) => async () => {
  const model = movingModel()
  const mesh = model.mesh('Block', cube(model, paint(model)))
  model.node('Ground', mesh).setScale([3, 0.1, 3]).setTranslation([0, -2, 0])
  const node = model.node('Block', mesh).setScale([0.7, 0.7, 0.7])
  model.node('Hand', mesh, node).setTranslation([1.5, 1, 0]).setScale([0.4, 0.4, 0.4])
  move(model, node)
  return await model.glb()
}

const snake =
  (
    joints: number,
    influences: number,
    change?: (model: MovingModel, chain: ReturnType<MovingModel['chain']>) => void,
  ) =>
  async () => {
    const model = movingModel()
    const chain = model.chain(joints)
    model.body('Snake', model.mesh('Snake', tube(model, joints, influences)), model.skin(chain))
    for (const joint of chain.slice(1)) {
      model.move('Bend', joint, 'rotation', [0, 1], [turn([1, 0, 0], 0), turn([1, 0, 0.5], 80 / joints)])
    }
    change?.(model, chain)
    return await model.glb()
  }

export const motion: Feature[] = [
  {
    name: 'Translation, LINEAR',
    as: '`xformOp:translate` with time samples',
    how: 'exact',
    glb: block((model, node) => model.move('Go', node, 'translation', [0, 0.5, 1], still)),
  },
  {
    name: 'Rotation, LINEAR',
    as: '`xformOp:orient` with time samples; `quicklook`: dense enough for viewers without slerp',
    how: 'exact',
    glb: block((model, node) => model.move('Go', node, 'rotation', [0, 0.5, 1], turns)),
  },
  {
    name: 'Scale, LINEAR',
    as: '`xformOp:scale` with time samples',
    how: 'exact',
    glb: block((model, node) =>
      model.move(
        'Go',
        node,
        'scale',
        [0, 1],
        [
          [0.5, 0.5, 0.5],
          [1, 1.5, 0.3],
        ],
      ),
    ),
  },
  {
    name: 'STEP',
    as: 'two time samples close together',
    how: 'exact',
    glb: block((model, node) => model.move('Go', node, 'translation', [0, 0.4, 1], still, 'STEP')),
  },
  {
    name: 'CUBICSPLINE',
    as: 'time samples within 0.01 % of the size of the model',
    how: 'exact',
    glb: block((model, node) =>
      model.move('Go', node, 'rotation', [0, 0.5, 1], model.keys(turns, 'CUBICSPLINE'), 'CUBICSPLINE'),
    ),
  },
  {
    name: 'Skins',
    as: '`SkelRoot`, `Skeleton`, `SkelAnimation`, bound on each mesh',
    how: 'exact',
    glb: snake(3, 2),
  },
  {
    name: 'Skins of mirrored nodes',
    as: 'reversed triangles: the node decides which side is the front, though joints place the vertices',
    how: 'exact',
    glb: snake(3, 2, (model, chain) => {
      const rig = model.node('Rig').setScale([-1, 1, 1])
      const body = model.document
        .getRoot()
        .listNodes()
        .find((node) => node.getName() === 'Snake')!
      body.getMesh()!.listPrimitives()[0]!.getMaterial()!.setDoubleSided(false)
      for (const node of [chain[0]!, body]) rig.addChild(node)
      // As programs write a mirrored rig: the matrices take vertices to where they are seen, the triangles turn with the node.
      const indices = body.getMesh()!.listPrimitives()[0]!.getIndices()!.getArray()!
      for (let i = 0; i < indices.length; i += 3) indices.subarray(i + 1, i + 3).reverse()
      body.setSkin(model.skin(chain))
    }),
  },
  {
    name: 'Several skins that share joints',
    as: 'one `Skeleton`; a joint with two bind transforms gets a child joint',
    how: 'exact',
    glb: snake(4, 2, (model, chain) => {
      chain[0]!.setTranslation([2, 0, 0])
      model.body('Other', model.mesh('Other', tube(model, 3)), model.skin(chain.slice(0, 3)))
    }),
  },
  {
    name: 'More than four weights a vertex',
    as: '`quicklook`: the four largest; `spec`: all',
    how: { quicklook: 'approximated', spec: 'exact' },
    notes: { quicklook: ['skin_weights'], spec: [] },
    unjudged: 'GLTFLoader takes the first four weights',
    glb: snake(7, 6),
  },
  {
    name: 'Joints with uneven scale',
    as: 'joint scales, which UsdSkel stores as half-precision floats: two nested joints where one is not exact enough. OpenUSD rounds interpolated scales to half precision (up to 0.1 %)',
    how: 'exact',
    glb: snake(3, 2, (model, chain) =>
      model.move(
        'Bend',
        chain[1]!,
        'scale',
        [0, 1],
        [
          [1, 1, 1],
          [1.6, 1, 0.7],
        ],
      ),
    ),
  },
  {
    name: 'Morph targets',
    as: '`BlendShape` prims, their weights in the `SkelAnimation`',
    how: 'exact',
    glb: async () => {
      const model = movingModel()
      const face = model.node('Face', model.mesh('Face', dough(model).setMaterial(paint(model))).setWeights([0, 0]))
      model.move(
        'Speak',
        face,
        'weights',
        [0, 0.5, 1],
        [
          [0, 0],
          [1, 0.2],
          [0.3, 1],
        ],
      )
      return await model.glb()
    },
  },
  {
    name: 'Morph targets of constant weight',
    as: 'moved points, normals, texture coordinates and colours',
    how: 'exact',
    glb: async () => {
      const model = movingModel()
      model.node('Face', model.mesh('Face', dough(model).setMaterial(paint(model))).setWeights([0.7, 0.4]))
      return await model.glb()
    },
  },
  {
    name: 'Morph targets with a skin',
    as: '`BlendShape` prims and joints of one `Skeleton`',
    how: 'exact',
    glb: async () => {
      const model = movingModel()
      const chain = model.chain(2)
      const made = dough(model)
      const count = made.getAttribute('POSITION')!.getCount()
      const ups = [...made.getAttribute('POSITION')!.getArray()!].filter((_, i) => i % 3 === 1).map((y) => (y + 1) / 2)
      made.setAttribute(
        'JOINTS_0',
        model.accessor(
          'VEC4',
          Uint8Array.from({ length: count * 4 }, (_, i) => Number(i % 4 === 1)),
        ),
      )
      made.setAttribute(
        'WEIGHTS_0',
        model.accessor(
          'VEC4',
          Float32Array.from({ length: count * 4 }, (_, i) => [1 - ups[i >> 2]!, ups[i >> 2]!, 0, 0][i % 4]!),
        ),
      )
      const head = model.body('Head', model.mesh('Head', made).setWeights([0, 0]), model.skin(chain))
      model.move(
        'Nod',
        head,
        'weights',
        [0, 1],
        [
          [0, 0],
          [1, 0.5],
        ],
      )
      model.move('Nod', chain[1]!, 'rotation', [0, 1], [turn([1, 0, 0], 0), turn([1, 0, 0], 50)])
      return await model.glb()
    },
  },
  {
    name: 'Several clips of the same properties',
    as: 'in sequence on the timeline, the selected one first; the report lists their ranges',
    how: 'exact',
    glb: block((model, node) => {
      model.move('Go', node, 'translation', [0, 0.5, 1], still)
      model.move('Return', node, 'translation', [0, 0.5, 1], still.toReversed())
    }),
  },
  {
    name: 'Several clips of different properties',
    as: 'at the same time, unless one is selected; an option decides it',
    how: 'exact',
    notes: ['animations_together'],
    glb: block((model, node) => {
      model.move('Go', node, 'translation', [0, 0.5, 1], still)
      model.move('Turn', node, 'rotation', [0, 0.5, 1.5], turns)
    }),
  },
  {
    name: 'Mirrored nodes that move',
    as: 'mirrored vertices below the moving nodes',
    how: 'exact',
    glb: async () => {
      const model = movingModel()
      const left = model.node('Left').setScale([-1, 1, 1])
      const hand = model.node('Hand', model.mesh('Hand', cube(model, paint(model))), left).setTranslation([1.5, 0, 0])
      model.move('Wave', hand, 'rotation', [0, 1], [turn([0, 0, 1], 0), turn([0, 1, 1], 150)])
      return await model.glb()
    },
  },
  {
    name: 'Instances that move',
    as: 'a mesh for each instance below the moving node',
    how: 'exact',
    glb: async () => {
      const model = movingModel()
      const instances = model.document
        .createExtension(EXTMeshGPUInstancing)
        .createInstancedMesh()
        .setAttribute('TRANSLATION', model.accessor('VEC3', Float32Array.of(-3, 0, 0, 0, 1, 0, 3, 0, 0)))
      const node = model
        .node('Trees', model.mesh('Tree', cube(model, paint(model))))
        .setExtension('EXT_mesh_gpu_instancing', instances)
      model.move('Storm', node, 'rotation', [0, 1], [turn([0, 0, 1], 0), turn([1, 0, 1], 60)])
      return await model.glb()
    },
  },
  {
    name: '`KHR_animation_pointer`',
    as: 'node transforms and morph target weights only',
    how: 'left out',
    notes: ['animation_pointer', 'extension'],
    unjudged: 'GLTFLoader does not read it',
    glb: async () => {
      const glb = await block((model, node) => model.move('Go', node, 'translation', [0, 0.5, 1], still))()
      return withJson(glb, (json) => {
        type Clip = { channels: { sampler: number; target: object }[] }
        const [clip] = json.animations as Clip[]
        clip!.channels.push({
          sampler: 0,
          target: {
            path: 'pointer',
            extensions: { KHR_animation_pointer: { pointer: '/materials/0/emissiveFactor' } },
          },
        })
        json.extensionsUsed = ['KHR_animation_pointer']
      })
    },
  },
]
