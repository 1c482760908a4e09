import { readZip, type ZipEntry } from '../layers/read-zip.ts'
import { createNotes } from '../report.ts'
import { composeStage } from '../stage/compose-stage.ts'
import { type OpenPackage, packageLayers, readingError } from '../stage/open-package.ts'
import { isLayer } from '../stage/package-files.ts'
import type { PackageLayer } from '../stage/usd-prim.ts'
import { checkArchive } from './rules/archive-rules.ts'
import { checkAssets } from './rules/asset-rules.ts'
import { arrayFacts, checkMeshes } from './rules/mesh-rules.ts'
import { checkNames } from './rules/name-rules.ts'
import { findings, type Problem, type Report, type RuleName, type RuleResult } from './rules/rules.ts'
import { checkShaders } from './rules/shader-rules.ts'
import { checkSkeletons } from './rules/skel-rules.ts'
import { checkStage } from './rules/stage-rules.ts'
import { checkTransforms } from './rules/transform-rules.ts'
import { checkValues } from './rules/value-rules.ts'
import { layerSubject } from './subject/layer-subject.ts'
import { stageSubject } from './subject/stage-subject.ts'

/** The rules of the archive. All others need a readable first layer. */
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
  checkContents(entries, found)
  return found.results()
}

/** Returns the broken rules of a package, without warnings. */
export const checkPackage = (usdz: Uint8Array): Problem[] =>
  inspectPackage(usdz)
    .filter(({ state }) => state === 'failed')
    .flatMap(({ rule, messages }) => messages.map((message) => ({ rule, message })))

/** Checks the layers of a package, each by itself, and the stage that they make together. */
function checkContents(entries: readonly ZipEntry[], { report, cannotCheck }: ReturnType<typeof findings>): void {
  const stored = entries.filter(({ method, encrypted }) => method === 0 && !encrypted)
  const [first] = entries
  if (!first || !stored.includes(first) || !isLayer(first)) {
    const isDamaged = first !== undefined && stored.includes(first) && first.name.endsWith('.usdc')
    if (isDamaged) report('Layer', `${first.name} cannot be read: it is not a crate file.`)
    cannotCheck(...layerRules)
    return
  }
  const files = new Set(entries.map(({ name }) => name))
  const layers = packageLayers(stored)
  const attempt = (check: () => void) => {
    try {
      check()
    } catch (error) {
      report('Layer', messageOf(readingError('The layers cannot be read', error)))
      cannotCheck(...layerRules)
    }
  }
  for (const entry of stored.filter(isLayer)) {
    attempt(() => {
      const layer = layers.open(entry)
      checkAssets(layer, files, report)
      checkNames(layer.stage, report)
      checkValues(layer, entry === first, report)
    })
  }
  attempt(() => checkStageOf({ ...layers, root: layers.open(first) }, report))
}

function checkStageOf(opened: OpenPackage, report: Report): void {
  const { root } = opened
  const subject = isAlone(root) ? layerSubject(root.stage) : stageSubject(composeStage(opened, createNotes()))
  const facts = arrayFacts()
  checkStage(subject, report)
  checkTransforms(subject, report)
  checkShaders(subject, report)
  checkMeshes(subject, facts, report)
  checkSkeletons(subject, facts, report)
}

const arcs = ['references', 'payload', 'inheritPaths', 'specializes']

/** Whether a layer has all opinions about its prims: then all its variants are checked, not only selected ones. */
const isAlone = ({ stage }: PackageLayer): boolean =>
  !stage.metadata.has('subLayers') && !stage.prims.some(({ fields }) => arcs.some((arc) => fields.has(arc)))

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
