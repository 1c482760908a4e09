import { movingModel, turn } from './animated-model.ts'

/** Skins in unusual forms: shared, several, non-uniform, and with attached parts. */
export const skinModels: Record<string, () => Promise<Uint8Array>> = {
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
    // The second skin was bound in another pose: other inverse bind matrices for the same joints.
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
  'two skinned strips that draw little of one long array of vertices': async () => {
    const model = movingModel()
    const joints = model.chain(40)
    const bar = model.bar(40)
    const cut = (corners: number[]) => bar.clone().setIndices(model.accessor('SCALAR', Uint16Array.from(corners)))
    model.body('Cut', model.mesh('Cut', cut([6, 1, 2, 2, 30, 6]), cut([60, 50, 61, 61, 50, 20])), model.skin(joints))
    for (const joint of joints.slice(0, 9)) {
      model.move('Bend', joint, 'rotation', [0, 1], [turn([1, 0, 0], 0), turn([1, 0, 1], 25)])
    }
    return await model.glb()
  },
  'scales of joints with keys at other times': async () => {
    const model = movingModel()
    const joints = model.chain(3)
    model.body('Dough', model.mesh('Dough', model.bar(3)), model.skin(joints))
    for (const [i, joint] of joints.entries()) {
      const scales = [0.62, 1.37, 0.71].map((size, k) => [size + i / 7, size + k / 9, size])
      model.move('Knead', joint, 'scale', [0, 0.37 + i / 11, 1.3], scales)
    }
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
