import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { ConversionError } from './errors.ts'
import type { Anchor, ConvertOptions } from './index.ts'
import { animationOrders, isAnimationOrder, isProfile, profiles, resolveOptions } from './options/options.ts'
import { alignments } from './options/placement.ts'

/** An invalid command: its message says what to change. */
export class InvalidCommand extends Error {}

/** The options of a conversion on a command line, for `parseArgs`. */
export const conversionFlags = {
  profile: { type: 'string', default: 'quicklook' },
  clip: { type: 'string' },
  'only-clip': { type: 'boolean' },
  animations: { type: 'string', default: 'auto' },
  variant: { type: 'string' },
  loop: { type: 'boolean' },
  'max-texture-size': { type: 'string' },
  'max-triangles': { type: 'string' },
  scale: { type: 'string' },
  anchor: { type: 'string' },
  alignment: { type: 'string' },
  'anchor-image': { type: 'string' },
  'anchor-width': { type: 'string' },
  'preferred-ibl-version': { type: 'string' },
  label: { type: 'string' },
  description: { type: 'string' },
} as const

/** The help of each option of a conversion. */
export const conversionHelp: [flag: string, help: string][] = [
  [
    '--profile quicklook|spec|realitykit',
    'quicklook (default) bakes what viewers ignore into pixels and vertices; spec leaves it to the shaders, and takes Gaussian splats; realitykit also bakes, and adds a MaterialX network to each material',
  ],
  ['--clip ANIMATION', 'the one that plays first, by name or number from 0; the others follow on the timeline'],
  ['--only-clip', 'leave out the other animations'],
  [
    '--animations auto|sequence|together',
    'auto (default) plays animations together if no two move the same property and no clip is selected, else in sequence; sequence and together decide it',
  ],
  ['--variant NAME', 'the material variant that is shown first, by name or number from 0; viewers offer the others'],
  ['--loop', 'let Apple’s viewers play the animations again and again'],
  ['--max-texture-size PIXELS', 'the largest side of an image'],
  ['--max-triangles NUMBER', 'simplify meshes until the model draws at most this number of triangles'],
  ['--scale FACTOR', 'multiply the size of the model: 0.01 for a model in centimetres'],
  ['--anchor plane|image|face', 'where AR viewers place the model; without it they ask'],
  ['--alignment horizontal|vertical|any', 'of the plane; horizontal by default'],
  ['--anchor-image FILE', 'the JPEG or PNG that viewers look for'],
  ['--anchor-width METRES', 'the width of that image'],
  [
    '--preferred-ibl-version 1|2',
    'the light in AR Quick Look: 1 is the classic one, 2 (default) the brighter one of iOS 16',
  ],
  ['--label TEXT', 'what screen readers call the model'],
  ['--description TEXT', 'what they tell about it'],
]

/** Describes the unit of a file whose format has none. */
export const describeUnit = (meters: number): string =>
  `the file has no unit of length: 1 becomes ${meters} m; --scale sets it, 0.001 for millimetres`

/** Parses the arguments of the command. */
export const parse = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
      json: { type: 'boolean' },
      fix: { type: 'string' },
      ...conversionFlags,
    },
  })

type Values = ReturnType<typeof parseArgs<{ options: typeof conversionFlags }>>['values']

/**
 * Reads the options of a conversion, and the image of an anchor.
 * @throws InvalidCommand naming the option that cannot be used; Error for an image that cannot be read.
 */
export async function convertOptions(values: Values): Promise<ConvertOptions> {
  const { profile, animations, loop, label, description } = values
  if (!isProfile(profile)) throw new InvalidCommand(`The profile must be ${profiles.join(', ')}, not ${profile}.`)
  if (!isAnimationOrder(animations)) {
    throw new InvalidCommand(`The animations must be ${animationOrders.join(', ')}, not ${animations}.`)
  }
  const [clip, variant] = [nameOrNumber(values.clip), nameOrNumber(values.variant)]
  const [side, scale] = [numberOf(values, 'max-texture-size'), numberOf(values, 'scale')]
  const triangles = numberOf(values, 'max-triangles')
  const light = numberOf(values, 'preferred-ibl-version')
  if (light !== undefined && light !== 1 && light !== 2) {
    throw new InvalidCommand(`--preferred-ibl-version must be 1 or 2, not ${light}.`)
  }
  const anchor = await anchorOf(values)
  const options: ConvertOptions = {
    profile,
    animations,
    onlyClip: values['only-clip'] === true,
    ...(clip !== undefined && { clip }),
    ...(variant !== undefined && { variant }),
    ...(loop !== undefined && { loop }),
    ...(side !== undefined && { maxTextureSize: side }),
    ...(triangles !== undefined && { maxTriangles: triangles }),
    ...(scale !== undefined && { scale }),
    ...(anchor && { anchor }),
    ...(light !== undefined && { preferredIblVersion: light }),
    ...(label !== undefined && { label }),
    ...(description !== undefined && { description }),
  }
  assertInRange(options)
  return options
}

/** @throws InvalidCommand naming the option whose value the library refuses. */
function assertInRange(options: ConvertOptions): void {
  try {
    resolveOptions(options)
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    const flag = (name: string) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    throw new InvalidCommand(error.message.replace(/^max[A-Z]\w+/, flag))
  }
}

/**
 * Refuses options of the conversion to USDZ where a GLB is written.
 * @throws InvalidCommand naming the option.
 */
export function assertOptionsForGlb(values: Values): void {
  for (const [name, flag] of Object.entries(conversionFlags)) {
    const initial = 'default' in flag ? flag.default : undefined
    if (values[name as keyof Values] !== initial) throw new InvalidCommand(`--${name} is for conversions to USDZ.`)
  }
}

const nameOrNumber = (text: string | undefined) => (/^\d+$/.test(text ?? '') ? Number(text) : text)

function numberOf(
  values: Values,
  name: 'max-texture-size' | 'max-triangles' | 'scale' | 'anchor-width' | 'preferred-ibl-version',
): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  if (text.trim() === '' || !Number.isFinite(Number(text))) throw new InvalidCommand(`--${name} ${text} is no number.`)
  return Number(text)
}

async function anchorOf(values: Values): Promise<Anchor | undefined> {
  const { anchor, alignment: given, 'anchor-image': file } = values
  const width = numberOf(values, 'anchor-width')
  if (given !== undefined && anchor !== 'plane') throw new InvalidCommand('--alignment needs --anchor plane.')
  if ((file !== undefined || width !== undefined) && anchor !== 'image') {
    throw new InvalidCommand('--anchor-image and --anchor-width need --anchor image.')
  }
  if (anchor === undefined || anchor === 'face') return anchor
  if (anchor === 'plane') {
    const alignment = alignments.find((name) => name === (given ?? 'horizontal'))
    if (alignment) return { type: 'plane', alignment }
    throw new InvalidCommand(`The alignment must be ${alignments.join(', ')}, not ${given}.`)
  }
  if (anchor !== 'image') throw new InvalidCommand(`The anchor must be plane, image or face, not ${anchor}.`)
  if (file === undefined || width === undefined) {
    throw new InvalidCommand('--anchor image needs --anchor-image <file> and --anchor-width <metres>.')
  }
  const image = await readFile(file).catch((error: Error) => {
    throw new Error(`${file} cannot be read: ${error.message}`)
  })
  return { type: 'image', image, width }
}
