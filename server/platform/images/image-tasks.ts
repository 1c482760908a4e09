import type { ImageKind } from './image-kinds.ts'

/** How to read the bytes of an image. */
export type Reading = {
  format: ImageKind['format']
  /** HEIF that is not AV1 has a separate decoder. */
  isHevc: boolean
  /** Whether to read all frames of an animation, or only the first. */
  isAnimated: boolean
}

/** The output is always upright, in sRGB, without metadata, in a format that every browser shows. */
export type Making = {
  /** Maximum pixels of all frames together. */
  maxPixels: number
  /** Maximum pixels per side, to which a larger image is reduced; without it the size stays. */
  side?: number
}

/** The header of an image. */
export type ImageHeader = { width: number; height: number; frames: number; format: string }

/** The place of the bytes sent with a task, in an image of that size. */
type Place = { at: number; size: number }

/** Tasks for a process that reads images. The bytes are sent in chunks, the last one with the task on all of them. */
export type ImageTask =
  | ({ kind: 'piece' } & Place)
  | ({ kind: 'measure'; reading: Reading } & Place)
  | ({ kind: 'make'; reading: Reading; making: Making } & Place)
  | { kind: 'more'; at: number }

/** The first output bytes come with `made`, the others with each `more`. */
export type ImageAnswer =
  | { kind: 'taken' }
  | ({ kind: 'measured' } & ImageHeader)
  | { kind: 'made'; size: number }
  | { kind: 'more' }
  | { kind: 'refused'; reason: string }

/** Bytes per frame: small enough that neither side waits long, and that the service holds little of an image. */
export const PIECE_BYTES = 4 * 2 ** 20
