import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConversionReport } from '../index.ts'
import { type Expected, isSameBox } from './expected.ts'
import { judge, judges } from './judges/judge.ts'
import type { Verdict } from './judges/verdict.ts'

export type Converted = { name: string; usdz: Uint8Array; report: ConversionReport; expected: Expected }
export type Judgement = { name: string; verdicts: Record<string, Verdict>; complaints: string[] }

/** Lets all readers read all packages and compares what they find with what the GLBs hold. */
export async function judgeAll(models: readonly Converted[]): Promise<Judgement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'usdz-judged-'))
  try {
    const files = models.map((_, index) => join(folder, `${index}.usdz`))
    for (const [index, { usdz }] of models.entries()) await writeFile(files[index]!, usdz)
    const verdicts = new Map<string, Verdict[]>()
    for (const name of judges) verdicts.set(name, await judge(name, files))
    return models.map((model, index) => {
      const own = Object.fromEntries([...verdicts].map(([name, list]) => [name, list[index]!]))
      return { name: model.name, verdicts: own, complaints: complaintsOf(model, own) }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function complaintsOf({ report, expected }: Converted, verdicts: Record<string, Verdict>): string[] {
  const complaints: string[] = []
  if (report.triangles !== expected.triangles) {
    complaints.push(`${report.triangles} triangles written, the GLB has ${expected.triangles}`)
  }
  for (const [name, verdict] of Object.entries(verdicts)) {
    if (!verdict.ok) complaints.push(`${name} cannot read it: ${verdict.error}`)
    else {
      const { triangles, meshes, materials, textures, bounds } = verdict
      if (triangles !== expected.triangles) complaints.push(`${name} finds ${triangles} triangles`)
      if (meshes !== report.meshes) complaints.push(`${name} finds ${meshes} meshes`)
      if (materials !== undefined && materials !== report.materials)
        complaints.push(`${name} finds ${materials} materials`)
      if (textures !== undefined && textures !== report.textures) complaints.push(`${name} finds ${textures} textures`)
      if (bounds && expected.bounds && !isSameBox(expected.bounds, bounds)) {
        complaints.push(`${name} finds it at ${bounds.join(' ')}, the GLB is at ${expected.bounds.join(' ')}`)
      }
    }
  }
  const { openusd, three } = verdicts
  if (openusd?.bounds && three?.bounds && !isSameBox(openusd.bounds, three.bounds)) {
    complaints.push(`openusd finds it at ${openusd.bounds.join(' ')}, three at ${three.bounds.join(' ')}`)
  }
  return complaints
}
