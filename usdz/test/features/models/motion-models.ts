import { EXTMeshGPUInstancing } from '@gltf-transform/extensions'
import { withJson } from '../../content/models.ts'
import { type Interpolation, movingModel, turn } from './animated-model.ts'
import { signedScaleModels } from './signed-scale-models.ts'
import { skinModels } from './skinned-models.ts'

const interpolations: readonly Interpolation[] = ['LINEAR', 'STEP', 'CUBICSPLINE']
const tumble = [turn([0, 0, 1], 0), turn([1, 2, 0], 130), turn([0, 1, 1], -100), turn([1, 0, 0], 80)]
const times = [0, 0.4, 1, 1.7]

/** Node animations with every interpolation. */
function simple(): Record<string, () => Promise<Uint8Array>> {
  const values = {
    translation: [
      [0, 0, 0],
      [1, 2, 0],
      [-1, 0, 3],
      [0.5, 0.5, 0.5],
    ],
    rotation: tumble,
    scale: [
      [1, 1, 1],
      [2, 0.5, 1],
      [0.2, 0.2, 3],
      [1, 2, 1],
    ],
  } as const
  const made: Record<string, () => Promise<Uint8Array>> = {}
  for (const interpolation of interpolations) {
    for (const path of ['translation', 'rotation', 'scale'] as const) {
      made[`${path} ${interpolation}`] = async () => {
        const model = movingModel()
        const stand = model
          .node('Stand')
          .setTranslation([3, 0, 1])
          .setRotation(turn([1, 1, 0], 40))
        const flag = model.node('Flag', model.mesh('Cloth', model.square()), stand).setTranslation([0, 1, 0])
        model.node('Pole', model.mesh('Pole', model.square()), flag).setScale([0.1, 2, 1])
        model.move('Wave', flag, path, times, model.keys(values[path], interpolation), interpolation)
        return await model.glb()
      }
    }
    made[`weights ${interpolation}`] = async () => {
      const model = movingModel()
      const face = model.node('Face', model.mesh('Face', model.patch(3))).setRotation(turn([0, 1, 0], 30))
      const weights = [
        [0, 0, 0],
        [1, 0.2, 0],
        [0, 1, -0.5],
        [0.3, 0.3, 1.5],
      ]
      model.move('Speak', face, 'weights', times, model.keys(weights, interpolation), interpolation)
      return await model.glb()
    }
    made[`skin ${interpolation}`] = async () => {
      const model = movingModel()
      const joints = model.chain(3)
      model.body('Snake', model.mesh('Snake', model.bar(3)), model.skin(joints))
      model.move('Bend', joints[1]!, 'rotation', times, model.keys(tumble, interpolation), interpolation)
      model.move('Bend', joints[2]!, 'translation', times, model.keys(values.translation, interpolation), interpolation)
      return await model.glb()
    }
  }
  return made
}

/** Clips that move a skin, a node and morph targets; `overlap` lets two of them move one property. */
async function clips(overlap: boolean): Promise<Uint8Array> {
  const model = movingModel()
  const joints = model.chain(2)
  model.body('Snake', model.mesh('Snake', model.bar(2)), model.skin(joints))
  const wheel = model.node('Wheel', model.mesh('Wheel', model.square())).setTranslation([4, 0, 0])
  const face = model.node('Face', model.mesh('Face', model.patch(1)).setWeights([0.5]))
  model.move('Bend', joints[1]!, 'rotation', [0, 1], [turn([1, 0, 0], 0), turn([1, 0, 0], 90)])
  model.move(
    'Roll',
    wheel,
    'rotation',
    [0.5, 1, 2.25],
    [turn([0, 0, 1], 0), turn([0, 0, 1], 170), turn([0, 0, 1], 350)],
  )
  model.move('Smile', face, 'weights', [0, 0.3], [[0], [1]])
  model.move(
    'Smile',
    wheel,
    'translation',
    [0, 0.3],
    [
      [0, 0, 0],
      [0, 1, 0],
    ],
  )
  if (overlap)
    model.move(
      'Bend',
      wheel,
      'translation',
      [0, 1],
      [
        [4, 0, 0],
        [4, 0, 1],
      ],
    )
  return await model.glb()
}

/** Nodes and clips in unusual forms. */
const scenes: Record<string, () => Promise<Uint8Array>> = {
  'clips of different properties': () => clips(false),
  'several clips': () => clips(true),
  'clips that end with a step, and poses': async () => {
    const model = movingModel()
    const flag = model.node('Flag', model.mesh('Flag', model.square()))
    for (const [name, height] of [
      ['Up', 1],
      ['Down', -1],
    ] as const) {
      const heights = model.keys(
        [0, height, 3 * height].map((y) => [0, y, 0]),
        'STEP',
      )
      model.move(name, flag, 'translation', [0, 0.4, 1], heights, 'STEP')
      model.move(`${name} at once`, flag, 'translation', [0], [[height, 0, 0]])
    }
    return await model.glb()
  },
  'mirrored nodes that move': async () => {
    const model = movingModel()
    const left = model.node('Left').setScale([-1, 1, 1]).setTranslation([-1, 0, 0])
    const hand = model.node('Hand', model.mesh('Hand', model.square()), left)
    const turned = model.node('Turned', model.mesh('Turned', model.square())).setTranslation([3, 0, 0])
    model.move('Wave', hand, 'rotation', [0, 1], [turn([0, 0, 1], 0), turn([0, 1, 1], 150)])
    model.move(
      'Wave',
      turned,
      'scale',
      [0, 1],
      [
        [1, 1, -1],
        [-1, 2, -1],
      ],
    )
    return await model.glb()
  },
  'instances that move': async () => {
    const model = movingModel()
    const instances = model.document
      .createExtension(EXTMeshGPUInstancing)
      .createInstancedMesh()
      .setAttribute('TRANSLATION', model.accessor('VEC3', Float32Array.of(0, 0, 0, 5, 6, 7, 1, 1, 1)))
      .setAttribute('SCALE', model.accessor('VEC3', Float32Array.of(1, 1, 1, 2, 1, 1, 1, 1, 3)))
    const node = model
      .node('Trees', model.mesh('Tree', model.square()))
      .setExtension('EXT_mesh_gpu_instancing', instances)
    model.move('Storm', node, 'rotation', [0, 1], [turn([0, 0, 1], 0), turn([1, 0, 1], 60)])
    return await model.glb()
  },
  'nodes placed by matrices above what moves': async () => {
    const model = movingModel()
    model.node('Leaning')
    const flag = model.node('Flag', model.mesh('Flag', model.square()), model.scene.listChildren()[0]!)
    const joints = model.chain(2, model.scene.listChildren()[0]!)
    model.body('Snake', model.mesh('Snake', model.bar(2)), model.skin(joints, false))
    model.move('Wave', flag, 'rotation', times, tumble)
    model.move('Wave', joints[1]!, 'rotation', times, tumble)
    return withJson(await model.glb(), (json) => {
      const leaning = (json.nodes as Record<string, unknown>[]).find(({ name }) => name === 'Leaning')!
      leaning.matrix = [0, 0, -2, 0, 0, 0.5, 0, 0, 3, 0, 0, 0, 7, 8, 9, 1]
    })
  },
  'one key, and keys that begin late': async () => {
    const model = movingModel()
    const flag = model.node('Flag', model.mesh('Flag', model.square()))
    const late = model.node('Late', model.mesh('Late', model.square()))
    model.move('Wave', flag, 'translation', [0.5], [[1, 2, 3]])
    model.move(
      'Wave',
      late,
      'translation',
      [1, 1.5],
      [
        [5, 0, 0],
        [6, 0, 0],
      ],
    )
    model.move('Pose', flag, 'translation', [0], [[3, 2, 1]])
    return await model.glb()
  },
  'quaternions of either sign': async () => {
    const model = movingModel()
    const flag = model.node('Flag', model.mesh('Flag', model.square()))
    const joints = model.chain(2)
    model.body('Snake', model.mesh('Snake', model.bar(2)), model.skin(joints))
    const signed = tumble.map((q, i) => (i % 2 ? q.map((value) => -value) : q))
    for (const node of [flag, joints[1]!]) model.move('Wave', node, 'rotation', times, signed)
    return await model.glb()
  },
  'quantized targets, joints and weights': async () => {
    const model = movingModel()
    const joints = model.chain(2)
    const bar = model.bar(2)
    const weights = bar.getAttribute('WEIGHTS_0')!
    const bytes = Uint8Array.from(weights.getArray()!, (value) => Math.round(value * 255))
    for (let i = 0; i < bytes.length; i += 4) bytes[i + 1] = 255 - bytes[i]!
    weights.setArray(bytes).setNormalized(true)
    const lift = Int8Array.from({ length: bar.getAttribute('POSITION')!.getCount() * 3 }, (_, i) =>
      i % 3 === 2 ? i : 0,
    )
    bar.addTarget(model.document.createPrimitiveTarget().setAttribute('POSITION', model.accessor('VEC3', lift, true)))
    const body = model.body('Snake', model.mesh('Snake', bar), model.skin(joints))
    model.move('Wave', joints[1]!, 'rotation', [0, 1], [turn([1, 0, 0], 0), turn([1, 0, 0], 90)])
    model.move('Wave', body, 'weights', [0, 1], [[0], [1]])
    return await quantized(model)
  },
}

/** All motion models by name: each has one pitfall for a converter. */
export const motionModels: Record<string, () => Promise<Uint8Array>> = {
  ...simple(),
  ...skinModels,
  ...signedScaleModels,
  ...scenes,
}

async function quantized(model: ReturnType<typeof movingModel>): Promise<Uint8Array> {
  return withJson(await model.glb(), (json) => {
    json.extensionsUsed = ['KHR_mesh_quantization']
    json.extensionsRequired = ['KHR_mesh_quantization']
  })
}
