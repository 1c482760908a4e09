import type { ImageKind } from './image-kinds.ts'

/** How the bytes of an image are read. */
export type Reading = {
  format: ImageKind['format']
  /** HEIF that is not AV1 has a decoder of its own. */
  isHevc: boolean
  /** Whether all frames of an animation are read; else the first one is the image. */
  isAnimated: boolean
}

/** What is made of every image is upright, in sRGB, without metadata, and of a kind that every browser shows. */
export type Making = {
  /** Pixels of all frames together; more are not decoded. */
  maxPixels: number
  /** Pixels each way that a larger image is made to fit into; without it all pixels stay. */
  side?: number
}

/** What the header of an image says. */
export type ImageHeader = { width: number; height: number; frames: number; format: string }

/** Where the bytes beside a task belong, in an image of that size. */
type Place = { at: number; size: number }

/** Asked of a process that reads images. Beside the tasks go the bytes, in pieces; the last one goes beside what is to be done with all of them. */
export type ImageTask =
  | ({ kind: 'piece' } & Place)
  | ({ kind: 'measure'; reading: Reading } & Place)
  | ({ kind: 'make'; reading: Reading; making: Making } & Place)
  | { kind: 'more'; at: number }

/** The first bytes of what was made go beside `made`, the others beside each `more`. */
export type ImageAnswer =
  | { kind: 'taken' }
  | ({ kind: 'measured' } & ImageHeader)
  | { kind: 'made'; size: number }
  | { kind: 'more' }
  | { kind: 'refused'; reason: string }

/** Bytes that go in one frame: neither side waits long for them, and the service holds no more of an image. */
export const PIECE_BYTES = 4 * 2 ** 20
