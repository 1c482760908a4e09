import { EXTMeshGPUInstancing } from '@gltf-transform/extensions'
import { withJson } from '../models.ts'
import { type Interpolation, movingModel, turn } from './moving.ts'

const interpolations: readonly Interpolation[] = ['LINEAR', 'STEP', 'CUBICSPLINE']
const tumble = [turn([0, 0, 1], 0), turn([1, 2, 0], 130), turn([0, 1, 1], -100), turn([1, 0, 0], 80)]
const times = [0, 0.4, 1, 1.7]

/** What a node's own channels move, by every interpolation. */
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

/** Skins as they come: shared, several, crooked, and with parts hanging from them. */
const skins: Record<string, () => Promise<Uint8Array>> = {
  'several skins that share joints': async () => {
    const model = movingModel()
    const joints = model.chain(
      4,
      model
        .node('Hips')
        .setTranslation([0, 5, 0])
        .setRotation(turn([0, 1, 0], 50)),
    )
    const [all, upper] = [model.skin(joints), model.skin(joints.slice(2))]
    // The second skin was bound while the joints stood elsewhere: other inverse binds for the same joints.
    joints[3]!.setTranslation([0.5, 1, 0])
    const other = model.skin([joints[3]!, joints[0]!])
    const bar = model.mesh('Bar', model.bar(2))
    model.body('Whole', model.mesh('Long', model.bar(4)), all)
    model.body('Upper', bar, upper)
    model.body('Other', bar, other)
    joints.forEach((joint, i) => {
      model.move('Bend', joint, 'rotation', [0, 1], [turn([1, 0, i], 0), turn([1, 0, i], 50 - 20 * i)])
    })
    return await model.glb()
  },
  'six weights a vertex': async () => {
    const model = movingModel()
    const joints = model.chain(7)
    model.body('Eel', model.mesh('Eel', model.bar(7, 6)), model.skin(joints))
    for (const joint of joints) model.move('Bend', joint, 'rotation', [0, 1], [turn([1, 0, 0], 0), turn([1, 0, 1], 25)])
    return await model.glb()
  },
  'scales that are not even in a chain of joints': async () => {
    const model = movingModel()
    const joints = model.chain(3)
    joints[0]!.setScale([1, 1.5, 0.7])
    joints[1]!.setRotation(turn([1, 1, 1], 35)).setScale([2, 0.4, 1])
    model.body('Dough', model.mesh('Dough', model.bar(3)), model.skin(joints, false))
    model.move(
      'Knead',
      joints[0]!,
      'scale',
      [0, 1, 2],
      [
        [1, 1.5, 0.7],
        [3, 0.3, 1.1],
        [1, 1, 1],
      ],
    )
    model.move('Knead', joints[1]!, 'rotation', [0, 2], [turn([1, 1, 1], 35), turn([0, 1, 1], -120)])
    return await model.glb()
  },
  'joints below nodes that are none, which move too': async () => {
    const model = movingModel()
    const cart = model.node('Cart').setTranslation([2, 0, 0]).setScale([0.5, 0.5, 0.5])
    const [first] = model.chain(1, cart)
    const spring = model.node('Spring', undefined, first).setTranslation([0, 0.5, 0])
    const last = model.node('Last', undefined, spring).setTranslation([0, 0.5, 0])
    model.body('Flag', model.mesh('Flag', model.bar(2)), model.skin([first!, last]), cart).setTranslation([50, 0, 0])
    model.move(
      'Drive',
      cart,
      'translation',
      [0, 2],
      [
        [2, 0, 0],
        [-2, 1, 4],
      ],
    )
    model.move(
      'Drive',
      spring,
      'scale',
      [0, 1, 2],
      [
        [1, 1, 1],
        [1, 3, 1],
        [1, 0.5, 1],
      ],
    )
    model.move('Drive', last, 'rotation', [0, 2], [turn([0, 0, 1], 0), turn([0, 0, 1], 170)])
    return await model.glb()
  },
  'morph targets with a skin': async () => {
    const model = movingModel()
    const joints = model.chain(2)
    const patch = model.patch(2)
    patch.setAttribute(
      'JOINTS_0',
      model.accessor(
        'VEC4',
        Uint8Array.from({ length: 100 }, (_, i) => (i % 4) & 1),
      ),
    )
    const weights = Float32Array.from({ length: 100 }, (_, i) => [i / 100, 1 - i / 100, 0, 0][i % 4]!)
    for (let i = 0; i < 100; i += 4) weights[i + 1] = 1 - weights[i]!
    patch.setAttribute('WEIGHTS_0', model.accessor('VEC4', weights))
    const head = model.body('Head', model.mesh('Head', patch).setWeights([0.25, 0]), model.skin(joints))
    model.move('Nod', joints[1]!, 'rotation', [0, 1], [turn([1, 0, 0], 0), turn([1, 0, 0], 60)])
    model.move(
      'Nod',
      head,
      'weights',
      [0, 0.5, 1],
      [
        [0.25, 0],
        [1, 1],
        [0, 0.5],
      ],
    )
    return await model.glb()
  },
  'a thing held by a joint': async () => {
    const model = movingModel()
    const joints = model.chain(3)
    model.body('Arm', model.mesh('Arm', model.bar(3)), model.skin(joints))
    const hand = model.node('Hand', model.mesh('Sword', model.square()), joints[2]).setScale([0.2, 2, 1])
    model.node('Gem', model.mesh('Gem', model.patch(1)).setWeights([1]), hand)
    model.move('Hit', joints[0]!, 'rotation', [0, 1], [turn([0, 0, 1], 0), turn([0, 0, 1], 90)])
    model.move('Hit', hand, 'rotation', [0, 1], [turn([1, 0, 0], 0), turn([1, 0, 0], 90)])
    return await model.glb()
  },
}

/** Nodes and clips as they come. */
const scenes: Record<string, () => Promise<Uint8Array>> = {
  'several clips': async () => {
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

/** All models of motion by name: each holds one thing a converter can get wrong. */
export const motionModels: Record<string, () => Promise<Uint8Array>> = { ...simple(), ...skins, ...scenes }

async function quantized(model: ReturnType<typeof movingModel>): Promise<Uint8Array> {
  return withJson(await model.glb(), (json) => {
    json.extensionsUsed = ['KHR_mesh_quantization']
    json.extensionsRequired = ['KHR_mesh_quantization']
  })
}
