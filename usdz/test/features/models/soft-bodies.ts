import type { Material, Primitive } from '@gltf-transform/core'
import type { MovingModel } from './animated-model.ts'
import { ball } from './solids.ts'

/** A blue non-metallic paint. */
export const paint = (model: MovingModel): Material =>
  model.document.createMaterial('Paint').setBaseColorFactor([0.25, 0.5, 0.75, 1]).setMetallicFactor(0)

/** A round bar along y, as long as its number of joints, with normals; each ring follows the nearest joints. */
export function tube(model: MovingModel, joints: number, influences = 2): Primitive {
  const [around, rings] = [12, joints * 4]
  const points: number[] = []
  const normals: number[] = []
  const indices: number[] = []
  const sets = Math.ceil(influences / 4)
  const [jointRows, weightRows] = [0, 1].map(() => Array.from({ length: sets }, () => [] as number[])) as [
    number[][],
    number[][],
  ]
  for (let ring = 0; ring <= rings; ring++) {
    const y = ring / 4
    const near = Array.from({ length: joints }, (_, joint) => ({ joint, weight: 1 / (0.3 + Math.abs(y - joint)) ** 3 }))
    const followed = near.sort((one, other) => other.weight - one.weight).slice(0, influences)
    const sum = followed.reduce((total, { weight }) => total + weight, 0)
    for (let k = 0; k <= around; k++) {
      const [x, z] = [Math.sin((k / around) * 2 * Math.PI), Math.cos((k / around) * 2 * Math.PI)]
      points.push(0.35 * x, y, 0.35 * z)
      normals.push(x, 0, z)
      for (let slot = 0; slot < sets * 4; slot++) {
        jointRows[slot >> 2]!.push(followed[slot]?.joint ?? 0)
        weightRows[slot >> 2]!.push((followed[slot]?.weight ?? 0) / sum)
      }
      if (ring === rings || k === around) continue
      const at = ring * (around + 1) + k
      indices.push(at, at + 1, at + around + 2, at, at + around + 2, at + around + 1)
    }
  }
  const made = model.primitive(
    {
      POSITION: { type: 'VEC3', array: Float32Array.from(points) },
      NORMAL: { type: 'VEC3', array: Float32Array.from(normals) },
    },
    Uint16Array.from(indices),
  )
  for (let set = 0; set < sets; set++) {
    made.setAttribute(`JOINTS_${set}`, model.accessor('VEC4', Uint8Array.from(jointRows[set]!)))
    made.setAttribute(`WEIGHTS_${set}`, model.accessor('VEC4', Float32Array.from(weightRows[set]!)))
  }
  return made.setMaterial(paint(model).setDoubleSided(true))
}

/** A sphere with a target that pulls its top up and one that widens it. */
export function dough(model: MovingModel): Primitive {
  const made = ball(model, paint(model))
  const points = [...made.getAttribute('POSITION')!.getArray()!]
  const target = (move: (x: number, y: number, z: number) => number[]) => {
    const array = Float32Array.from(
      points.map((_, i) => move(...(points.slice(i - (i % 3), i - (i % 3) + 3) as [number, number, number]))[i % 3]!),
    )
    made.addTarget(model.document.createPrimitiveTarget().setAttribute('POSITION', model.accessor('VEC3', array)))
  }
  target((_, y) => [0, Math.max(0, y) ** 3, 0])
  target((x, y, z) => [x * 0.5 * (1 - y * y), 0, z * 0.5 * (1 - y * y)])
  return made
}
