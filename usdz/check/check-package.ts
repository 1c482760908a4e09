import { readCrate } from './reader/read-crate.ts'
import { readZip, type ZipEntry } from './reader/read-zip.ts'
import { buildStage, type Stage } from './reader/stage.ts'
import { checkArchive } from './rules/archive-rules.ts'
import { checkAssets } from './rules/asset-rules.ts'
import { arrayFacts, checkMeshes } from './rules/mesh-rules.ts'
import { findings, type Problem, type RuleName, type RuleResult } from './rules/rules.ts'
import { checkShaders } from './rules/shader-rules.ts'
import { checkSkeletons } from './rules/skel-rules.ts'
import { checkStage } from './rules/stage-rules.ts'
import { checkValues } from './rules/value-rules.ts'

/** The rules of the archive. All others need a readable binary first layer. */
const archiveRules: RuleName[] = [
  'Archive',
  'ByteAlignmentChecker',
  'CompressionChecker',
  'ARKitFileExtensionChecker',
  'ARKitRootLayerChecker',
  'ARKitLayerChecker',
]
const layerRules: RuleName[] = [
  'Layer',
  'MissingReferenceChecker',
  'ARKitPackageEncapsulationChecker',
  'TextureChecker',
  'StageMetadataChecker',
  'PrimEncapsulationChecker',
  'ARKitPrimTypeChecker',
  'MaterialBindingAPIAppliedChecker',
  'ARKitMaterialBindingChecker',
  'ARKitShaderChecker',
  'NormalMapTextureChecker',
  'Names',
  'Values',
  'FiniteValues',
  'TimeSamples',
  'Transforms',
  'Mesh',
  'Extent',
  'Skeleton',
  'SkelAnimation',
  'SkelBinding',
  'BlendShape',
]

/**
 * Checks a USDZ package, from any program, against the rules of the formats and of Apple's viewers. Bytes that are not
 * a package break a rule; nothing is thrown.
 * @returns the result of every rule.
 */
export function inspectPackage(usdz: Uint8Array): RuleResult[] {
  const found = findings()
  let entries: ZipEntry[]
  try {
    entries = readZip(usdz)
    checkArchive(entries, found.report)
  } catch (error) {
    found.report('Archive', messageOf(error))
    found.cannotCheck(...archiveRules, ...layerRules)
    return found.results()
  }
  const [root] = entries
  if (!(root?.method === 0 && isCrate(root.data))) {
    // A text layer already breaks a rule and is not read.
    if (root?.name.endsWith('.usdc')) found.report('Layer', `${root.name} cannot be read: it is not a crate file.`)
    found.cannotCheck(...layerRules)
    return found.results()
  }
  checkLayer(root, new Set(entries.map(({ name }) => name)), found)
  return found.results()
}

/** Returns the broken rules of a package, without warnings. */
export const checkPackage = (usdz: Uint8Array): Problem[] =>
  inspectPackage(usdz)
    .filter(({ state }) => state === 'failed')
    .flatMap(({ rule, messages }) => messages.map((message) => ({ rule, message })))

const isCrate = (data: Uint8Array) => Buffer.from(data.subarray(0, 8)).toString('latin1') === 'PXR-USDC'

function checkLayer(root: ZipEntry, files: ReadonlySet<string>, { report, cannotCheck }: ReturnType<typeof findings>) {
  try {
    const stage: Stage = buildStage(readCrate(root.data))
    const facts = arrayFacts(stage.crate)
    checkStage(stage, report)
    checkAssets(stage, root.name, files, report)
    checkShaders(stage, report)
    checkValues(stage, report)
    checkMeshes(stage, facts, report)
    checkSkeletons(stage, facts, report)
  } catch (error) {
    report('Layer', `${root.name} cannot be read: ${messageOf(error)}`)
    cannotCheck(...layerRules)
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
