import type { ConversionOptions } from '@cairn/sdk'
import { messages } from '../../../messages/index.ts'

const texts = messages.files.options

/** The fields of the form. */
export type Fields = {
  profile: 'quicklook' | 'spec' | 'realitykit'
  scale: string | number
  maxTextureSize: string | number
  maxTriangles: string | number
  anchor: 'none' | 'plane' | 'face' | 'image'
  alignment: 'horizontal' | 'vertical' | 'any'
  anchorImageId: string | null
  anchorWidth: string | number
  clip: string
  variant: string
  animations: 'auto' | 'sequence' | 'together'
  onlyClip: boolean
  loop: boolean
  isClassicLight: boolean
  label: string
  description: string
}

/** The default values: a conversion without options. */
export const noOptions: Fields = {
  profile: 'quicklook',
  scale: '',
  maxTextureSize: '',
  maxTriangles: '',
  anchor: 'none',
  alignment: 'horizontal',
  anchorImageId: null,
  anchorWidth: '',
  clip: '',
  variant: '',
  animations: 'auto',
  onlyClip: false,
  loop: false,
  isClassicLight: false,
  label: '',
  description: '',
}

/** The options of the fields, without those left empty. */
export function optionsOf(fields: Fields): ConversionOptions {
  const { profile, animations, onlyClip, anchor, alignment, anchorImageId, loop, isClassicLight } = fields
  const number = (name: 'scale' | 'maxTextureSize' | 'maxTriangles' | 'anchorWidth') =>
    fields[name] !== '' && { [name]: Number(fields[name]) }
  const text = (name: 'clip' | 'variant' | 'label' | 'description') =>
    fields[name].trim() && { [name]: fields[name].trim() }
  return {
    profile,
    animations,
    onlyClip,
    ...number('scale'),
    ...number('maxTextureSize'),
    ...number('maxTriangles'),
    ...text('clip'),
    ...text('variant'),
    ...text('label'),
    ...text('description'),
    ...(anchor !== 'none' && { anchor }),
    ...(anchor === 'plane' && { alignment }),
    ...(anchor === 'image' && anchorImageId !== null && { anchorImageId: Number(anchorImageId) }),
    ...(anchor === 'image' && number('anchorWidth')),
    ...(loop && { loop }),
    ...(isClassicLight && { preferredIblVersion: 1 }),
  }
}

/** The choices of a select. */
export const choices = <Name extends string>(names: Record<Name, string>) =>
  Object.entries<string>(names).map(([value, label]) => ({ value, label }))

/** Names a set of options in a few words. */
export function describeOptions(options: ConversionOptions): string {
  return Object.entries(options)
    .map(([name, value]) => {
      const label = texts.named[name as keyof ConversionOptions]
      return value === true ? label : `${label} ${value === false ? texts.off : value}`
    })
    .join(', ')
}
