import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConversionReport, Profile } from '../index.ts'
import { type Expected, isSameBox } from './expected.ts'
import { judge, judges } from './judges/judge.ts'
import type { Verdict } from './judges/verdict.ts'

export type Converted = {
  name: string
  usdz: Uint8Array
  report: ConversionReport
  expected: Expected
  profile?: Profile
}
export type Judgement = { name: string; verdicts: Record<string, Verdict>; complaints: string[] }

/** Reads all packages with all readers and compares the results with the GLBs. */
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

function complaintsOf({ report, expected, profile }: Converted, verdicts: Record<string, Verdict>): string[] {
  const complaints: string[] = []
  const inGlb = ['triangles', 'meshes', 'materials', 'blendShapes'] as const
  const written: Counts = { ...report, blendShapes: report.morphTargets, joints: verdicts.openusd?.joints }
  // A package with variants has their materials and textures too; readers find the bound ones, TinyUSDZ none: it does
  // not compose.
  const hasVariants = report.materials > expected.materials && report.materials === expected.materialsOfVariants
  if (hasVariants) written.materials = expected.materials
  for (const what of inGlb) {
    // A material has a version for each depth of its volume and each handedness of tangents.
    if (what === 'materials' && (written.materials ?? 0) > expected.materials) continue
    if (written[what] !== expected[what]) {
      complaints.push(`${written[what]} ${what} written, the GLB has ${expected[what]}`)
    }
  }
  if ((written.joints ?? 0) < expected.joints)
    complaints.push(`${written.joints} joints, the GLB has ${expected.joints}`)
  for (const [name, verdict] of Object.entries(verdicts)) {
    if (!verdict.ok && isBeyond(name, verdict)) continue
    if (!verdict.ok) complaints.push(`${name} cannot read it: ${verdict.error}`)
    else {
      for (const what of [...inGlb, 'textures', 'joints'] as const) {
        const ofVariants = hasVariants && (what === 'materials' || what === 'textures')
        const found = name === 'tinyusdz' && ofVariants ? undefined : verdict[what]
        // Readers do not follow MaterialX, which may have textures of its own.
        const isPart = what === 'textures' && (ofVariants || profile === 'realitykit')
        const isSome = isPart && (found ?? 0) < (written.textures ?? 0)
        if (found !== undefined && found !== written[what] && !isSome) complaints.push(`${name} finds ${found} ${what}`)
      }
      if (expected.bounds && verdict.bounds && !isSameBox(expected.bounds, verdict.bounds)) {
        complaints.push(`${name} finds it at ${verdict.bounds.join(' ')}, the GLB is at ${expected.bounds.join(' ')}`)
      }
    }
  }
  return complaints
}

/** TinyUSDZ reads no surface values except images: it refuses readers of vertex colours. */
const isBeyond = (reader: string, { error }: Verdict): boolean =>
  reader === 'tinyusdz' &&
  /Path's property part must be .* for UsdUVTexture|Failed to Reconstruct UsdPrimvarReader_float/.test(error ?? '')

type Counts = Pick<Verdict, 'meshes' | 'triangles' | 'materials' | 'textures' | 'joints' | 'blendShapes'>
