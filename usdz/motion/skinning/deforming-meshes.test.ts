import { expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { movingModel, turn } from '../../test/features/models/animated-model.ts'
import { tube } from '../../test/features/models/soft-bodies.ts'

/** The notes of a tube that some joints bend. */
async function notesOf(joints: number, normals: boolean) {
  const model = movingModel()
  const chain = model.chain(joints)
  const body = tube(model, joints, Math.min(joints, 2))
  model.body('Body', model.mesh('Body', normals ? body : body.setAttribute('NORMAL', null)), model.skin(chain))
  model.move('Bend', chain.at(-1)!, 'rotation', [0, 1], [turn([1, 0, 0], 0), turn([1, 0, 0], 60)])
  return (await convert(await model.glb())).report.notes.map(({ code, effect }) => [code, effect])
}

test('faces that bend without normals have a note: no normal of UsdSkel stays that of the face', async () => {
  expect(await notesOf(3, false)).toEqual([['flat_normals', 'changed']])
})

test('faces with normals, or of one joint, have none', async () => {
  expect(await notesOf(3, true)).toEqual([])
  expect(await notesOf(1, false)).toEqual([])
})
