import { expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { squareGlb, withJson } from '../../test/content/models.ts'

type Json = Record<string, Record<string, unknown>[]>

const messageOf = async (change: (json: Json) => void) => {
  const glb = withJson(await squareGlb(), (json) => change(json as Json))
  const error = await convert(glb).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'malformed' })
  return (error as Error).message
}
const primitive = (json: Json) => (json.meshes![0]!.primitives as Record<string, unknown>[])[0]!

test('a dangling reference is reported with its referrer', async () => {
  const cases: [(json: Json) => void, string][] = [
    [
      (json) => Object.assign(primitive(json).attributes as object, { NORMAL: 99 }),
      'mesh 0 "Square", primitive 0, attribute NORMAL: there is no accessor 99.',
    ],
    [
      (json) => Object.assign(primitive(json), { indices: -1 }),
      'mesh 0 "Square", primitive 0, indices: there is no accessor -1.',
    ],
    [
      (json) => Object.assign(primitive(json), { material: 'Paint' }),
      'mesh 0 "Square", primitive 0, material: there is no material "Paint".',
    ],
    [
      (json) => Object.assign(primitive(json), { targets: [{ POSITION: 50 }] }),
      'mesh 0 "Square", primitive 0, target 0 POSITION: there is no accessor 50.',
    ],
    [(json) => Object.assign(json.nodes![0]!, { mesh: 1 }), 'node 0 "Square", mesh: there is no mesh 1.'],
    [(json) => Object.assign(json.nodes![0]!, { skin: 0 }), 'node 0 "Square", skin: there is no skin 0.'],
    [
      (json) => Object.assign(json.nodes![0]!, { children: [4] }),
      'node 0 "Square": its child, node 4, does not exist.',
    ],
    [(json) => Object.assign(json.scenes![0]!, { nodes: [7] }), 'scene 0 "Scene", node 0: there is no node 7.'],
    [(json) => Object.assign(json, { scene: 3 }), 'The default scene: there is no scene 3.'],
    [(json) => Object.assign(json, { skins: [{ joints: [0, 8] }] }), 'skin 0, joint 1: there is no node 8.'],
    [(json) => Object.assign(json, { skins: [{}] }), 'skin 0: it has no joints.'],
    [
      (json) => Object.assign(json.materials![0]!, { emissiveTexture: { index: 2 } }),
      'material 0 "Paint", emissiveTexture: there is no texture 2.',
    ],
    [
      (json) =>
        Object.assign(json, { animations: [{ name: 'Run', samplers: [], channels: [{ sampler: 0, target: {} }] }] }),
      'animation 0 "Run", channel 0: there is no sampler 0.',
    ],
    [(json) => Object.assign(json.meshes![0]!, { primitives: {} }), 'mesh 0 "Square": it has no primitives.'],
    [(json) => Object.assign(json.meshes![0]!, { name: 7 }), 'meshes 0: its name is not text.'],
    [
      (json) =>
        Object.assign(json, {
          extensionsUsed: ['KHR_materials_variants'],
          extensions: { KHR_materials_variants: { variants: [{ name: 'Red' }, { name: [] }] } },
        }),
      'material variant 1: its name is not text.',
    ],
  ]
  for (const [change, message] of cases) expect(await messageOf(change)).toBe(message)
})
