import { movingModel, turn } from './animated-model.ts'

type Scale = readonly [number, number, number]
const lean = turn([1, 2, 3], 70)
const steps = [
  [0, 0, 0],
  [1, 2, 0],
]
const tumble = [lean, turn([0, 1, 1], -100)]

/** A leaning square with a scale at rest, of which an animation moves one property. */
const moving = (rest: Scale, path: 'translation' | 'rotation' | 'scale', values: readonly (readonly number[])[]) => {
  return async () => {
    const model = movingModel()
    model.node('Whole', model.mesh('Whole', model.square())).setTranslation([0, 0, 3])
    const node = model
      .node('Signed', model.mesh('Square', model.square()))
      .setRotation(lean)
      .setScale([...rest])
    model.move('Go', node, path, [0, 1], values)
    return await model.glb()
  }
}

/** A square below a node with a scale of zero; either of them moves, or a node above both. */
const flat = (mover: 'Above' | 'Flat' | 'Square') => {
  return async () => {
    const model = movingModel()
    model.node('Whole', model.mesh('Whole', model.square())).setTranslation([0, 0, 3])
    const above = model.node('Above').setTranslation([1, 2, 0])
    const node = model.node('Flat', undefined, above).setRotation(lean).setScale([1, 0, 1])
    const square = model.node('Square', model.mesh('Square', model.square()), node).setRotation(turn([1, 0, 1], 20))
    const moved = { Above: above, Flat: node, Square: square }[mover]
    model.move('Go', moved, 'rotation', [0, 1], tumble)
    return await model.glb()
  }
}

/** Scales that a matrix does not keep: pairs of negative ones are a rotation in it, and zero hides the rotation. */
export const signedScaleModels: Record<string, () => Promise<Uint8Array>> = {
  'three negative scales beside a translation that moves': moving([-1, -2, -0.5], 'translation', steps),
  'three negative scales beside a rotation that moves': moving([-1, -2, -0.5], 'rotation', tumble),
  'two negative scales that move': moving([1, -2, -0.5], 'scale', [
    [1, -2, -0.5],
    [2, -1, -1],
  ]),
  'one negative scale beside a rotation that moves': moving([1, -2, 0.5], 'rotation', tumble),
  'a scale that grows from zero': moving([0, 0, 0], 'scale', [
    [0, 0, 0],
    [1, 2, 1],
  ]),
  'a scale of zero beside a translation that moves': moving([1, 0, 1], 'translation', steps),
  'a flat node below one that moves': flat('Above'),
  'a flat node that moves': flat('Flat'),
  'a flat node above one that moves': flat('Square'),
}
