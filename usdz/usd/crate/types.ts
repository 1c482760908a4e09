/** Type numbers of crate files. Source: OpenUSD pxr/usd/sdf/crateDataTypes.h. */
export const typeCode = {
  bool: 1,
  uchar: 2,
  int: 3,
  uint: 4,
  int64: 5,
  uint64: 6,
  half: 7,
  float: 8,
  double: 9,
  string: 10,
  token: 11,
  asset: 12,
  matrix2d: 13,
  matrix3d: 14,
  matrix4d: 15,
  quatd: 16,
  quatf: 17,
  quath: 18,
  double2: 19,
  float2: 20,
  half2: 21,
  int2: 22,
  double3: 23,
  float3: 24,
  half3: 25,
  int3: 26,
  double4: 27,
  float4: 28,
  half4: 29,
  int4: 30,
  dictionary: 31,
  tokenListOp: 32,
  stringListOp: 33,
  pathListOp: 34,
  referenceListOp: 35,
  pathVector: 40,
  tokenVector: 41,
  specifier: 42,
  permission: 43,
  variability: 44,
  variantSelectionMap: 45,
  timeSamples: 46,
  payload: 47,
  doubleVector: 48,
  layerOffsetVector: 49,
  stringVector: 50,
  valueBlock: 51,
  payloadListOp: 55,
  timeCode: 56,
} as const

/** The 64-bit representation of a value in the table of fields, in two halves. */
export type ValueRep = { low: number; high: number }

const inlinedFlag = 1 << 30
export const arrayFlag = 1 << 31
export const compressedFlag = 1 << 29

/** Represents a value of at most 32 bits inline. */
export const inlineValue = (code: number, payload: number): ValueRep => ({
  low: payload >>> 0,
  high: ((code << 16) | inlinedFlag) >>> 0,
})

/** Represents a value stored at a file offset. */
export const valueAtOffset = (code: number, offset: number, flags: number): ValueRep => ({
  low: offset % 2 ** 32,
  high: ((code << 16) | Math.floor(offset / 2 ** 32) | flags) >>> 0,
})
