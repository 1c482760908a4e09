import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConversionError, type ConvertOptions, convert } from '../../usdz/index.ts'
import type { Converter, Measured } from '../models/convert-process.ts'
import { glbOf, roughBall, wavySquare } from '../models/gltf-models.ts'
import type { Comparison } from '../record/comparison.ts'

type Case = { name: string; file: string; options: ConvertOptions; target: string }

/**
 * Converts generated models with this project and with three.js's exporter, each in its own process, from bytes in memory
 * to a finished package; keeps the median of `runs` by time. Then all sample models, if present.
 */
export async function benchConvert(runs = 3): Promise<Comparison[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-convert-'))
  try {
    const results: Comparison[] = []
    for (const { name, file, options, target } of await cases(folder)) {
      const ours: Measured[] = []
      const peer: Measured[] = []
      for (let run = 0; run < runs; run++) {
        ours.push(await measureInChild(options, file))
        peer.push(await measureInChild('three', file))
      }
      const [one, other] = [median(ours), median(peer)]
      results.push({ name: `GLB to USDZ, ${name}`, ours: one, peer: other, ratio: other.seconds / one.seconds, target })
    }
    return [...results, ...(await benchSamples())]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function cases(folder: string): Promise<Case[]> {
  const write = async (name: string, glb: Uint8Array) => {
    const file = join(folder, name)
    await writeFile(file, glb)
    return { file, megabytes: (glb.length / 1e6).toFixed(1) }
  }
  const plain = await write('plain.glb', await glbOf(wavySquare()))
  const ball = await write('ball.glb', await glbOf(roughBall(), 1))
  const large = await write('large.glb', await glbOf(wavySquare(), 3))
  const pictured = `${large.megabytes} MB, 1,000,000 triangles and three JPEGs of 4096²`
  return [
    {
      name: '1,000,000 triangles',
      file: plain.file,
      options: { profile: 'quicklook' },
      target: 'at most 0.6 s, 16.1 MB, 200 MB of memory; 10 times faster',
    },
    {
      name: `${ball.megabytes} MB, 1,000,000 triangles in no order and a JPEG of 4096²`,
      file: ball.file,
      options: { profile: 'spec' },
      target: 'no larger than the GLB',
    },
    { name: pictured, file: large.file, options: { profile: 'spec' }, target: 'at most 1.2 s, 37 MB' },
    {
      name: `${pictured}, quicklook`,
      file: large.file,
      options: { profile: 'quicklook' },
      target: 'at most 4 s, 37 MB',
    },
    { name: `${pictured}, realitykit`, file: large.file, options: { profile: 'realitykit' }, target: 'as quicklook' },
    {
      name: `${pictured}, quicklook, textures of at most 1024²`,
      file: large.file,
      options: { profile: 'quicklook', maxTextureSize: 1024 },
      target: 'at most as quicklook',
    },
    {
      name: '1,000,000 triangles, reduced to 100,000',
      file: plain.file,
      options: { profile: 'quicklook', maxTriangles: 100_000 },
      target: 'at most 4 s',
    },
  ]
}

function median(measured: Measured[]): Measured {
  const sorted = measured.toSorted((a, b) => a.seconds - b.seconds)
  return sorted[Math.floor(sorted.length / 2)]!
}

async function measureInChild(converter: Converter, file: string): Promise<Measured> {
  const script = fileURLToPath(new URL('../models/convert-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(converter), file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const output = await new Response(ReadableStream.from(child.stdout)).text()
  return JSON.parse(output) as Measured
}

const samples = new URL('../../../shared/samples/glb/', import.meta.url)

/** The sample models are not part of the project: without them this is skipped. */
async function benchSamples(): Promise<Comparison[]> {
  if (!existsSync(samples)) {
    process.stderr.write(`Skipped the sample models: ${fileURLToPath(samples)} does not exist.\n`)
    return []
  }
  const names = (await readdir(samples)).filter((name) => name.endsWith('.glb')).sort()
  const models = await Promise.all(names.map((name) => readFile(new URL(encodeURIComponent(name), samples))))
  const target = 10
  const start = performance.now()
  let refused = 0
  for (const glb of models) {
    await convert(glb).catch((error: unknown) => {
      if (!(error instanceof ConversionError)) throw error
      refused++
    })
  }
  const seconds = (performance.now() - start) / 1000
  const name = `GLB to USDZ, all ${names.length} sample models one after the other`
  return [
    { name, ours: { seconds, refused }, peer: { limit: target }, ratio: target / seconds, target: 'at most 10 s' },
  ]
}
