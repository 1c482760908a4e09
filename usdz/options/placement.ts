import { unsupported } from '../errors.ts'
import { type ImageHeader, imageHeader } from '../textures/images/image-header.ts'

export const alignments = ['horizontal', 'vertical', 'any'] as const

/**
 * Where AR viewers place the model: on a plane, horizontal by default; on a face; or on an image that they look for. The
 * image is a JPEG or PNG, its width in metres.
 */
export type Anchor =
  | 'plane'
  | 'face'
  | { type: 'plane'; alignment?: (typeof alignments)[number] }
  | { type: 'face' }
  | { type: 'image'; image: Uint8Array; width: number }

/** An anchor with its defaults. */
export type ResolvedAnchor =
  | { type: 'plane'; alignment: string }
  | { type: 'face' }
  | { type: 'image'; image: Uint8Array; kind: 'jpeg' | 'png'; width: number }

/**
 * Validates an anchor and applies defaults.
 * @throws ConversionError `unsupported` for anything else than an anchor.
 */
export function resolveAnchor(anchor: unknown): ResolvedAnchor {
  const { type, alignment, image, width } = (typeof anchor === 'string' ? { type: anchor } : (anchor ?? {})) as Partial<
    Record<'type' | 'alignment' | 'image' | 'width', unknown>
  >
  if (type === 'face') return { type }
  if (type === 'plane') {
    const known = alignments.find((name) => name === (alignment ?? 'horizontal'))
    if (known) return { type, alignment: known }
    throw unsupported(`The alignment of a plane must be "horizontal", "vertical" or "any".`)
  }
  if (type !== 'image') throw unsupported('The anchor must be "plane", "face", or an object of type "image".')
  const kind: ImageHeader['kind'] = image instanceof Uint8Array ? imageHeader(image).kind : 'other'
  if (kind !== 'jpeg' && kind !== 'png') throw unsupported('The image of an anchor must be the bytes of a JPEG or PNG.')
  if (!(typeof width === 'number' && width > 0 && width < 1000)) {
    throw unsupported('The width of the image of an anchor must be a number of metres above 0.')
  }
  return { type, image: image as Uint8Array, kind, width }
}
