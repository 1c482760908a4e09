import { validateBytes } from 'gltf-validator'
import { describe, expect, test } from 'vitest'
import { compressed } from '../content/compressed.ts'
import { withJson } from '../content/models.ts'
import { sampleModels } from '../content/sample-models.ts'
import { motionModels } from '../features/models/motion-models.ts'
import { largestDistance } from './compare.ts'
import { drawsOf } from './draws.ts'
import { type GltfFile, openGlb } from './gltf.ts'
import { openPlain } from './plain.ts'
import { durationOf, jumpsOf, poseAt } from './pose.ts'
import { cornersByThree, loadedByThree } from './three-pose.ts'

/** The largest distance between the evaluator and three.js, relative to the model's diagonal. */
async function disagreement(glb: Uint8Array): Promise<number> {
  const file = openGlb(glb)
  const gltf = await loadedByThree(glb)
  const draws = drawsOf(file, 4)
  let worst = 0
  const clips = [undefined, ...(file.json.animations ?? []).keys()]
  for (const clip of clips) {
    for (const time of timesOf(file, clip)) {
      const pose = poseAt(file, clip, time)
      const ours = draws.map((draw) => draw.cornersIn(pose))
      worst = Math.max(worst, largestDistance(ours, cornersByThree(gltf, clip, time)))
    }
  }
  return worst
}

function timesOf(file: GltfFile, clip: number | undefined): number[] {
  if (clip === undefined) return [0]
  const times = Array.from({ length: 9 }, (_, i) => ((i + 0.37) / 9) * durationOf(file, clip))
  return times.filter((time) => jumpsOf(file, clip).every((jump) => Math.abs(time - jump) > 1e-3))
}

describe('the reference evaluator agrees with three.js on the position of every vertex of a GLB', () => {
  test.each(Object.keys(motionModels).filter((name) => !unlikeThree.has(name)))('%s', async (name) => {
    expect(await disagreement(await motionModels[name]!())).toBeLessThan(1e-5)
  })

  test('in the models of the repository', async () => {
    for (const [name, glb] of sampleModels()) {
      // Without a scene three.js shows nothing; glTF leaves it to the viewer.
      if (!openGlb(glb).json.scenes) continue
      expect(await disagreement(glb), name).toBeLessThan(1e-5)
    }
  })
})

test.each(Object.keys(motionModels))('the model "%s" is valid glTF', async (name) => {
  const { issues } = await validateBytes(await motionModels[name]!())
  expect(issues.messages.filter(({ severity }) => severity === 0)).toEqual([])
})

test('a compressed model is evaluated whose feature ids name a table that it does not have', async () => {
  const glb = withJson(await compressed('draco'), (json) => {
    const [{ primitives }] = json.meshes as [{ primitives: [{ extensions: Record<string, unknown> }] }]
    primitives[0].extensions.EXT_mesh_features = { featureIds: [{ featureCount: 1, propertyTable: 0 }] }
    json.extensionsUsed = [...(json.extensionsUsed as string[]), 'EXT_mesh_features']
  })
  expect(drawsOf(await openPlain(glb)).map(({ triangles }) => triangles)).toEqual([2])
})

/** Models that three.js draws differently: all instances as one mesh. */
const unlikeThree = new Set(['instances that move'])
