/** A member of a file that has places: what its geometry is, and the values of its fields by their numbers. */
export type Feature = {
  /** `Point`, `LineString` and so on; undefined where there is no geometry. */
  kind: string | undefined
  /** Where it is, of a Point and of a MultiPoint with one part. A measure (M) is not part of it. */
  position: { x: number; y: number; z: number | undefined } | undefined
  values: (string | undefined)[]
  /** The line it begins on, of a file that has lines. */
  line?: number
}
