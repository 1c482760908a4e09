import { invalid } from '../../../platform/errors.ts'
import { ConversionOptions } from './schema.ts'

/** Identifies a conversion: a content, and the options as text; empty without options. */
export type ConversionKey = { sha256: string; options: string }

/** The conversion of a content without options, which scans, the AR page and webhooks show. */
export const withoutOptions = (sha256: string): ConversionKey => ({ sha256, options: '' })

const optionNames = Object.keys(ConversionOptions.shape) as (keyof ConversionOptions)[]

const defaults: ConversionOptions = {
  format: 'usdz',
  profile: 'quicklook',
  onlyClip: false,
  animations: 'auto',
  scale: 1,
  alignment: 'horizontal',
  preferredIblVersion: 2,
}

/**
 * The text of a set of options: equal sets have equal texts, and a set of defaults the empty one. @throws 400 for an
 * option of another anchor or format, or an image without its width
 */
export function optionsText(asked: ConversionOptions): string {
  assertFormat(asked)
  assertAnchor(asked)
  const given = optionNames.flatMap((name) => {
    const value = name === 'clip' || name === 'variant' ? plainNumber(asked[name]) : asked[name]
    return value === undefined || value === defaults[name] ? [] : [[name, value] as const]
  })
  return given.length === 0 ? '' : JSON.stringify(Object.fromEntries(given))
}

function assertFormat(asked: ConversionOptions): void {
  if (asked.format !== 'glb') return
  const given = optionNames.filter((name) => name !== 'format' && asked[name] !== undefined)
  const message = 'is for conversions to USDZ, not with format=glb'
  if (given.length > 0) throw invalid(given.map((name) => ({ code: 'custom', message, path: [name] })))
}

const OF_ANCHOR = { alignment: 'plane', anchorImageId: 'image', anchorWidth: 'image' } as const

function assertAnchor(asked: ConversionOptions): void {
  const names = Object.keys(OF_ANCHOR) as (keyof typeof OF_ANCHOR)[]
  const issues = names.flatMap((name) => {
    const isOfAnchor = asked.anchor === OF_ANCHOR[name]
    const message =
      asked[name] !== undefined
        ? !isOfAnchor && `needs anchor=${OF_ANCHOR[name]}`
        : isOfAnchor && name !== 'alignment' && 'is required with anchor=image'
    return message ? [{ code: 'custom' as const, message, path: [name] }] : []
  })
  if (issues.length > 0) throw invalid(issues)
}

/** The options of a text; undefined for the empty one. */
export const optionsOf = (text: string): ConversionOptions | undefined =>
  text === '' ? undefined : (JSON.parse(text) as ConversionOptions)

/** `007` is number 7. */
const plainNumber = (text: string | undefined) => text?.replace(/^0+(?=\d+$)/, '')
