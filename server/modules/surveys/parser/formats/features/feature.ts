import type { RowError } from '../../errors.ts'

/** A feature of a file: its geometry, and the values of its fields by index. */
export type Feature = {
  /** `Point`, `LineString` and so on; undefined without a geometry. */
  kind: string | undefined
  /** The position of a Point or a MultiPoint with one part, without a measure (M). */
  position: { x: number; y: number; z: number | undefined } | undefined
  /** Why a point has no position, if it has coordinates. */
  fault?: RowError | undefined
  values: (string | undefined)[]
  /** The line where it begins, in text formats. */
  line?: number
}
