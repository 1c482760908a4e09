import { createScanInspector } from '../../server/modules/scans/processing/scan-inspector.ts'
import { cpuSecondsOf } from '../measure/process-cpu.ts'
import { peakDuring } from '../measure/process-memory.ts'
import { glbOf, wavySquare } from '../models/gltf-models.ts'
import { terrainObj, terrainPly, terrainSplats } from '../models/scan-models.ts'
import type { Comparison } from '../record/comparison.ts'

/** 1,000,000 points, and a grid with 999,698 triangles. */
const [POINTS_SIDE, MESH_SIDE] = [1000, 708]

type Case = { name: string; file: Uint8Array; limit: { seconds: number; megabytes: number } }

/** Reads scans and draws their previews as the service does, in a new sandboxed process each: CPU seconds and peak memory. The peer is the limit of one scan. */
export async function benchScans(): Promise<Comparison[]> {
  const results: Comparison[] = []
  for (const make of cases) {
    const { name, file, limit } = await make()
    const inspector = createScanInspector()
    const before = await cpuSecondsOf(process.pid)
    const startedAt = performance.now()
    let [cpuSeconds, seconds] = [0, 0]
    const peak = await peakDuring(process.pid, async () => {
      const found = await inspector.inspect(
        { bytes: inPieces(file), size: file.length, fileName: '', mimeType: '' },
        AbortSignal.timeout(600_000),
      )
      seconds = (performance.now() - startedAt) / 1000
      cpuSeconds = (await cpuSecondsOf(process.pid)) - before
      if (!found.preview) throw new Error(`${name}: there is no preview`)
    })
    // An idle worker process does not keep this one alive.
    const alive = setInterval(() => {}, 1000)
    await inspector.close()
    clearInterval(alive)
    const ours = { seconds, cpuSeconds, megabytes: Math.round(peak.started), fileMegabytes: file.length / 1e6 }
    results.push({
      name: `scan and preview, ${name}`,
      ours,
      peer: limit,
      ratio: limit.seconds / cpuSeconds,
      target: `at least 1: at most ${limit.seconds} s of CPU; at most ${limit.megabytes} MB`,
    })
  }
  return results
}

const cases: (() => Case | Promise<Case>)[] = [
  () => ({
    name: 'PLY of 1,000,000 points',
    file: terrainPly(POINTS_SIDE, false),
    limit: { seconds: 5, megabytes: 400 },
  }),
  () => ({
    name: 'PLY of 1,000,000 triangles',
    file: terrainPly(MESH_SIDE, true),
    limit: { seconds: 5, megabytes: 400 },
  }),
  () => ({ name: 'OBJ of 1,000,000 triangles', file: terrainObj(MESH_SIDE), limit: { seconds: 5, megabytes: 400 } }),
  async () => ({
    name: 'GLB of 1,000,000 triangles',
    file: await glbOf(wavySquare()),
    limit: { seconds: 5, megabytes: 500 },
  }),
  () => ({ name: '1,000,000 splats', file: terrainSplats(POINTS_SIDE), limit: { seconds: 10, megabytes: 600 } }),
]

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024)
}
