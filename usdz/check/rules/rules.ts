import { repairs } from './repairs.ts'

/**
 * The rules a package is checked against. Names that end in "Checker" are those of `usdchecker --arkit` (OpenUSD
 * pxr/usd/usdUtils/complianceChecker.py); the others are rules of the formats and schemas that it assumes.
 */
export const rules = {
  Archive: 'The package is a complete ZIP archive of files with valid, distinct paths.',
  ByteAlignmentChecker: 'The data of every file begins at a multiple of 64 bytes.',
  CompressionChecker: 'Files are neither compressed nor encrypted.',
  ARKitFileExtensionChecker: 'All files are layers (usd usda usdc usdz) or textures (jpg png).',
  ARKitRootLayerChecker: 'The first file is a .usdc layer and the only layer.',
  ARKitLayerChecker: 'Every layer has the core USD format that its extension states.',
  Layer: 'Every layer is complete: its tables, paths, fields and values, or its text, can be read.',
  MissingReferenceChecker: 'Every referenced file is in the package.',
  ARKitPackageEncapsulationChecker: 'Nothing outside the package is referenced.',
  TextureChecker: 'Textures are JPEG (.jpg) or PNG (.png), as their extensions state.',
  StageMetadataChecker: 'upAxis is Y, metersPerUnit is set, and defaultPrim names a prim.',
  PrimEncapsulationChecker: 'Shapes are not nested, and shaders are only in materials.',
  ARKitPrimTypeChecker: 'All prims have types that AR viewers support.',
  MaterialBindingAPIAppliedChecker: 'Prims that bind a material have MaterialBindingAPI applied.',
  ARKitMaterialBindingChecker: 'Every bound material exists.',
  ARKitShaderChecker: 'Shaders are those of UsdPreviewSurface and MaterialX, and each input has one existing source.',
  NormalMapTextureChecker: 'Normal maps are raw values, unpacked by scale 2 and bias -1.',
  Names: 'Prims and properties have names that USD allows.',
  Values: 'Values are of the declared type.',
  FiniteValues: 'Numbers are finite.',
  TimeSamples: 'Times ascend within the time range of the stage, with one value each.',
  Transforms: 'xformOpOrder lists existing operations; rotations are unit quaternions.',
  Mesh: 'Faces have at least three corners with existing points; primvars have the required length.',
  Extent: 'Shapes have an extent that contains their points.',
  Skeleton: 'Joints have one rest and one bind transform each, and come after their parents.',
  SkelAnimation: 'Arrays over joints and blend shapes are as long as their lists.',
  SkelBinding: 'Skinned meshes are below a SkelRoot, with joints and weights of an existing skeleton.',
  BlendShape: 'Blend shapes exist, one for each name, and move existing points.',
} as const

export type RuleName = keyof typeof rules

/** A broken rule and its location. */
export type Problem = { rule: RuleName; message: string }

/** Reports a broken rule; a warning where usdchecker also only warns. */
export type Report = (rule: RuleName, message: string, severity?: 'error' | 'warning') => void

/**
 * The result of a rule.
 * - `passed`, `failed`; `warned` when the finding may be intended
 * - `unchecked` when the relevant part of the package could not be read
 */
export type RuleState = 'passed' | 'warned' | 'failed' | 'unchecked'

/** A rule and its result; `repair` says how to repair a package that breaks it. */
export type RuleResult = { rule: RuleName; says: string; state: RuleState; messages: string[]; repair?: string }

/** The largest number of messages for each rule. */
const mostMessages = 20

/** Collects findings by rule. */
export function findings() {
  const found = new Map<RuleName, { failed: boolean; messages: string[]; more: number }>()
  const unchecked = new Set<RuleName>()
  const report: Report = (rule, message, severity = 'error') => {
    const entry = found.get(rule) ?? { failed: false, messages: [], more: 0 }
    found.set(rule, entry)
    if (severity === 'error') entry.failed = true
    const text = shortened(message)
    if (entry.messages.includes(text)) return
    if (entry.messages.length < mostMessages) entry.messages.push(text)
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
        const all = more > 0 ? [...messages, `${more} more findings of this kind.`] : messages
        const state = stateOf(rule)
        return { rule, says: rules[rule], state, messages: all, ...(state === 'failed' && { repair: repairs[rule] }) }
      }),
  }
}

const longest = 500
const shortened = (message: string) => (message.length > longest ? `${message.slice(0, longest)}…` : message)
