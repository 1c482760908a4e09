import type { ConversionOptions } from '@cairn/sdk'
import { messages } from '../../../messages/index.ts'

const texts = messages.files.options

/** The fields of the form. */
export type Fields = {
  profile: 'quicklook' | 'spec'
  scale: string | number
  maxTextureSize: string | number
  anchor: 'none' | 'plane' | 'face'
  alignment: 'horizontal' | 'vertical' | 'any'
  clip: string
  animations: 'auto' | 'sequence' | 'together'
  onlyClip: boolean
  loop: boolean
}

/** The default values: a conversion without options. */
export const noOptions: Fields = {
  profile: 'quicklook',
  scale: '',
  maxTextureSize: '',
  anchor: 'none',
  alignment: 'horizontal',
  clip: '',
  animations: 'auto',
  onlyClip: false,
  loop: false,
}

/** The options of the fields, without those left empty. */
export function optionsOf({ scale, maxTextureSize, anchor, alignment, clip, loop, ...rest }: Fields): ConversionOptions {
  return {
    ...rest,
    ...(scale !== '' && { scale: Number(scale) }),
    ...(maxTextureSize !== '' && { maxTextureSize: Number(maxTextureSize) }),
    ...(anchor !== 'none' && { anchor }),
    ...(anchor === 'plane' && { alignment }),
    ...(clip.trim() && { clip: clip.trim() }),
    ...(loop && { loop }),
  }
}

/** Names a set of options in a few words. */
export function describeOptions(options: ConversionOptions): string {
  return Object.entries(options)
    .map(([name, value]) => {
      const label = texts.named[name as keyof ConversionOptions]
      return value === true ? label : `${label} ${value === false ? texts.off : value}`
    })
    .join(', ')
}
