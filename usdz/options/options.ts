import { unsupported } from '../errors.ts'
import { isCount, isObject, type JsonObject } from '../read/json.ts'
import { type Anchor, type ResolvedAnchor, resolveAnchor } from './placement.ts'

/**
 * The viewers the file is written for.
 * - `quicklook`: features that Apple's viewers ignore or render incorrectly are baked into pixels and vertices (texture
 *   factors and transforms, channels, alpha cutoff, vertex colours, mirrored nodes), and textures are reduced to
 *   supported sizes.
 * - `spec`: the plain UsdPreviewSurface network (`inputs:scale`, `UsdTransform2d`, primvar readers); JPEG and PNG files
 *   are copied unchanged.
 * - `realitykit`: as `quicklook`, and each material has a MaterialX network beside it, which RealityKit uses instead.
 */
export type Profile = (typeof profiles)[number]

export const profiles = ['quicklook', 'spec', 'realitykit'] as const

export const isProfile = (name: unknown): name is Profile => profiles.some((profile) => profile === name)

/** Limits of one conversion. Exceeding one throws a ConversionError with the code `too_large`. */
export type Limits = {
  /** Size of the GLB in bytes. */
  bytes: number
  /** Triangles, or splats, of all distinct geometry. Including instances, ten times as many may be drawn. */
  triangles: number
  /** Pixels of all distinct source images together. */
  texturePixels: number
}

export type ConvertOptions = {
  profile?: Profile
  limits?: Partial<Limits>
  /** The animation that plays first, by name or index; the first one by default. */
  clip?: string | number
  /** Leaves out the other animations; otherwise they follow on the timeline. */
  onlyClip?: boolean
  /** How several animations are placed on the timeline; `auto` by default. */
  animations?: AnimationOrder
  /** The material variant that is shown first, by name or index; the default materials without it. */
  variant?: string | number
  /** Whether viewers play the animations again and again; without it they decide. */
  loop?: boolean
  /** The largest side of an image in pixels; 2048 by default, any for `spec`. */
  maxTextureSize?: number
  /** How many triangles the model may draw: with more, its meshes are simplified. */
  maxTriangles?: number
  /** Multiplies the size of the model: 0.01 for a model in centimetres. */
  scale?: number
  /** Where AR viewers place the model; without it they ask. */
  anchor?: Anchor
  /** The light in AR Quick Look: 1 is the classic one, 2 (default) the brighter one of iOS 16. */
  preferredIblVersion?: IblVersion
  /** What assistive technologies, such as screen readers, call the model. */
  label?: string
  /** What they tell about it. */
  description?: string
}
export type IblVersion = 1 | 2

export type Settings = {
  profile: Profile
  limits: Limits
  clip?: string | number
  onlyClip: boolean
  animations: AnimationOrder
  variant?: string | number
  loop?: boolean
  maxTextureSize?: number
  maxTriangles?: number
  scale: number
  anchor?: ResolvedAnchor
  preferredIblVersion: IblVersion
  label?: string
  description?: string
}

/**
 * How several animations are placed on the timeline.
 * - `auto`: at the same time if no two move the same property of a node and no clip is selected, else in sequence.
 * - `sequence`: one after the other.
 * - `together`: at the same time; where two move the same property, the first one is used.
 */
export type AnimationOrder = (typeof animationOrders)[number]

export const animationOrders = ['auto', 'sequence', 'together'] as const

export const isAnimationOrder = (name: unknown): name is AnimationOrder =>
  animationOrders.some((order) => order === name)

const defaultLimits: Limits = { bytes: 250_000_000, triangles: 5_000_000, texturePixels: 400_000_000 }

/**
 * Applies defaults.
 * @throws ConversionError `unsupported` for an unknown option or an option of the wrong type.
 */
export function resolveOptions(options: ConvertOptions = {}): Settings {
  assertValidOptions(options)
  const profile = options.profile ?? 'quicklook'
  if (!isProfile(profile)) {
    throw unsupported(`The profile must be "quicklook", "spec" or "realitykit", not ${describe(profile)}.`)
  }
  const animations = options.animations ?? 'auto'
  if (!isAnimationOrder(animations)) {
    throw unsupported(`animations must be "auto", "sequence" or "together", not ${describe(animations)}.`)
  }
  const { bytes, triangles, texturePixels } = options.limits ?? {}
  const limits = {
    bytes: bytes ?? defaultLimits.bytes,
    triangles: triangles ?? defaultLimits.triangles,
    texturePixels: texturePixels ?? defaultLimits.texturePixels,
  }
  return {
    profile,
    limits,
    ...(options.clip !== undefined && { clip: options.clip }),
    onlyClip: options.onlyClip ?? false,
    animations,
    ...(options.variant !== undefined && { variant: options.variant }),
    ...(options.loop !== undefined && { loop: options.loop }),
    ...(options.maxTextureSize !== undefined && { maxTextureSize: options.maxTextureSize }),
    ...(options.maxTriangles !== undefined && { maxTriangles: options.maxTriangles }),
    scale: options.scale ?? 1,
    ...(options.anchor !== undefined && { anchor: resolveAnchor(options.anchor) }),
    preferredIblVersion: options.preferredIblVersion ?? 2,
    ...(options.label && { label: options.label }),
    ...(options.description && { description: options.description }),
  }
}

/** Validates options of callers without TypeScript: a limit that is not a number would limit nothing. */
function assertValidOptions(options: unknown): void {
  const {
    limits = {},
    clip,
    onlyClip,
    variant,
    loop,
    maxTextureSize: side,
    maxTriangles,
    scale,
    preferredIblVersion,
    label,
    description,
  } = isObject(options) ? options : rejectOption('The options', 'an object', options)
  if (!isObject(limits)) rejectOption('The limits', 'an object', limits)
  for (const name of Object.keys(defaultLimits)) {
    const limit = (limits as JsonObject)[name]
    if (limit !== undefined && !(typeof limit === 'number' && limit >= 0)) {
      rejectOption(`The limit ${name}`, 'a number from 0 up', limit)
    }
  }
  if (clip !== undefined && typeof clip !== 'string' && !isCount(clip)) {
    rejectOption('The clip', 'a name or a number from 0 up', clip)
  }
  if (variant !== undefined && typeof variant !== 'string' && !isCount(variant)) {
    rejectOption('The variant', 'a name or a number from 0 up', variant)
  }
  if (onlyClip !== undefined && typeof onlyClip !== 'boolean') rejectOption('onlyClip', 'true or false', onlyClip)
  if (loop !== undefined && typeof loop !== 'boolean') rejectOption('loop', 'true or false', loop)
  if (side !== undefined && !(isCount(side) && side >= 16 && side <= 16_384)) {
    rejectOption('maxTextureSize', 'a whole number from 16 to 16384', side)
  }
  if (maxTriangles !== undefined && !(isCount(maxTriangles) && maxTriangles >= 100)) {
    rejectOption('maxTriangles', 'a whole number from 100 up', maxTriangles)
  }
  if (scale !== undefined && !(typeof scale === 'number' && scale >= 1e-6 && scale <= 1e6)) {
    rejectOption('The scale', 'a number from 0.000001 to 1000000', scale)
  }
  if (preferredIblVersion !== undefined && preferredIblVersion !== 1 && preferredIblVersion !== 2) {
    rejectOption('preferredIblVersion', '1 or 2', preferredIblVersion)
  }
  for (const [name, text] of Object.entries({ label, description })) {
    if (text !== undefined && !(typeof text === 'string' && text.length <= longestText)) {
      rejectOption(`The ${name}`, `a text of at most ${longestText} characters`, text)
    }
  }
}

const longestText = 1000

function rejectOption(what: string, wanted: string, given: unknown): never {
  throw unsupported(`${what} must be ${wanted}, not ${describe(given)}.`)
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'a list'
  return value !== null && typeof value === 'object' ? 'an object' : String(value)
}
