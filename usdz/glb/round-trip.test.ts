// @module-tag long
import { validateBytes } from 'gltf-validator'
import { describe, expect, test } from 'vitest'
import { sampleModels } from '../test/content/sample-models.ts'
import { features } from '../test/features/all.ts'
import { motionModels } from '../test/features/models/motion-models.ts'
import { roundTrip } from '../test/round-trip.ts'

/** UsdSkel stores scales of joints as half-precision floats: each of a chain of joints is within 1e-5. */
const joints: Record<string, number> = { 'scales of joints with keys at other times': 3 }

async function allModels(): Promise<[string, Uint8Array][]> {
  const all: [string, Uint8Array][] = []
  for (const [name, model] of Object.entries(motionModels)) all.push([name, await model()])
  for (const { name, glb } of Object.values(features).flat()) all.push([name, await glb()])
  for (const [name, glb] of sampleModels()) {
    // Its empty buffer is more than the evaluator reads.
    if (name !== 'bio_00_empty_scene') all.push([name, glb])
  }
  return all
}

describe.each(['spec', 'quicklook'] as const)(
  'a GLB that becomes a USDZ of the profile %s and a GLB again',
  (profile) => {
    test('has every triangle at its place at all times of its animations, and is valid glTF', async () => {
      const faults: string[] = []
      for (const [name, source] of await allModels()) {
        const { glb, worst } = await roundTrip(source, profile)
        if (!(worst < 1e-5 * (joints[name] ?? 1))) faults.push(`${name}: off by ${worst}`)
        const { issues } = await validateBytes(glb)
        for (const { severity, code, message } of issues.messages) {
          // Tangents come from texture coordinates in USD.
          const isFault = severity === 0 || (severity === 1 && code !== 'MESH_PRIMITIVE_GENERATED_TANGENT_SPACE')
          if (isFault) faults.push(`${name}: ${message}`)
        }
      }
      expect(faults).toEqual([])
    }, 120_000)
  },
)
