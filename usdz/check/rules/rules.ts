/**
 * What a package is checked by. Names that end in "Checker" are those of `usdchecker --arkit` (OpenUSD
 * pxr/usd/usdUtils/complianceChecker.py); the others are rules of the formats and schemas that it takes for granted.
 */
export const rules = {
  Archive: 'The package is a whole ZIP archive of files with paths of their own inside it.',
  ByteAlignmentChecker: 'The data of every file begins at a multiple of 64 bytes.',
  CompressionChecker: 'Files are neither compressed nor encrypted.',
  ARKitFileExtensionChecker: 'There are only layers (usd usda usdc usdz) and textures (jpg png).',
  ARKitRootLayerChecker: 'The first file is a .usdc layer, and the only layer.',
  ARKitLayerChecker: 'Every layer is in one of the core USD formats, the one its name says.',
  Layer: 'The binary layer is whole: its tables, paths, fields and values can be read.',
  MissingReferenceChecker: 'Every file that is named is in the package.',
  ARKitPackageEncapsulationChecker: 'Nothing outside the package is named.',
  TextureChecker: 'Textures are JPEG (.jpg) or PNG (.png), as their names say.',
  StageMetadataChecker: 'upAxis is Y, metersPerUnit is given, and defaultPrim names a prim.',
  PrimEncapsulationChecker: 'No shape is below another one, and shaders stand only in materials.',
  ARKitPrimTypeChecker: 'All prims are of types that AR viewers know.',
  MaterialBindingAPIAppliedChecker: 'Prims that bind a material have MaterialBindingAPI applied.',
  ARKitMaterialBindingChecker: 'Every bound material is there.',
  ARKitShaderChecker: 'Shaders are those of UsdPreviewSurface, and their inputs have one source each, which is there.',
  NormalMapTextureChecker: 'Normal maps are raw values, unpacked by scale 2 and bias -1.',
  Names: 'Prims and properties have names that USD allows.',
  Values: 'Values are of the declared type.',
  FiniteValues: 'Numbers are finite.',
  TimeSamples: 'Times ascend, within the time of the stage, with one value each.',
  Transforms: 'xformOpOrder lists operations that are there; rotations have length one.',
  Mesh: 'Faces have at least three corners, which name points that are there; primvars have the length they need.',
  Extent: 'What is drawn says how large it is, and is not larger.',
  Skeleton: 'Joints have one rest and one bind transform each, and follow their parents.',
  SkelAnimation: 'Arrays over joints and blend shapes have the lengths of their lists.',
  SkelBinding: 'Skinned meshes are below a SkelRoot and name joints and weights of a skeleton that is there.',
  BlendShape: 'Blend shapes are there, one for each name, and move points that are there.',
} as const

export type RuleName = keyof typeof rules

/** A rule that is broken, and where. */
export type Problem = { rule: RuleName; message: string }

/** Says that a rule is broken; a warning is what the rule's own checker only warns of. */
export type Report = (rule: RuleName, message: string, severity?: 'error' | 'warning') => void

/**
 * - `passed`, `failed`; `warned` when what was found may be meant so
 * - `unchecked` when the part of the package it is about could not be read
 */
export type RuleState = 'passed' | 'warned' | 'failed' | 'unchecked'

/** One rule and what a package makes of it. */
export type RuleResult = { rule: RuleName; says: string; state: RuleState; messages: string[] }

/** A file of a million faults is told of the first of each kind. */
const mostMessages = 20

/** Collects what is found, a list a rule. */
export function findings() {
  const found = new Map<RuleName, { failed: boolean; messages: string[]; more: number }>()
  const unchecked = new Set<RuleName>()
  const report: Report = (rule, message, severity = 'error') => {
    const entry = found.get(rule) ?? { failed: false, messages: [], more: 0 }
    found.set(rule, entry)
    if (severity === 'error') entry.failed = true
    if (entry.messages.length < mostMessages) entry.messages.push(shortened(message))
    else entry.more++
  }
  const stateOf = (rule: RuleName): RuleState => {
    const entry = found.get(rule)
    if (entry) return entry.failed ? 'failed' : 'warned'
    return unchecked.has(rule) ? 'unchecked' : 'passed'
  }
  return {
    report,
    cannotCheck: (...names: RuleName[]) => {
      for (const name of names) unchecked.add(name)
    },
    results: (): RuleResult[] =>
      (Object.keys(rules) as RuleName[]).map((rule) => {
        const { messages = [], more = 0 } = found.get(rule) ?? {}
        const all = more > 0 ? [...messages, `There are ${more} more of this kind.`] : messages
        return { rule, says: rules[rule], state: stateOf(rule), messages: all }
      }),
  }
}

const longest = 500
const shortened = (message: string) => (message.length > longest ? `${message.slice(0, longest)}…` : message)
