/**
 * A value and how it is stored. Declared types such as `color3f` or `point3f[]` are stored as their plain counterparts.
 * Arrays of several numbers an element lie flat: a quaternion as x y z w, a matrix row by row.
 */
export type Value =
  | { type: 'token' | 'string' | 'asset'; value: string }
  | { type: 'bool'; value: boolean }
  | { type: 'int' | 'float' | 'double'; value: number }
  | { type: 'float2' | 'float3' | 'float4' | 'quatf' | 'matrix4d'; value: readonly number[] }
  | { type: 'token[]'; value: readonly string[] }
  | { type: 'int[]'; value: Int32Array | Uint32Array }
  | { type: 'float[]' | 'float2[]' | 'float3[]' | 'float4[]' | 'quatf[]' | 'half3[]'; value: Float32Array }
  | { type: 'double[]' | 'matrix4d[]'; value: Float64Array }
  | { type: 'dictionary'; value: Readonly<Record<string, Value>> }

/** Values over time: a time code for each, ascending. Attributes that share the array of times store it once. */
export type Samples = { times: readonly number[]; values: readonly Value[] }

export type Attribute = {
  kind: 'attribute'
  name: string
  /** As USD names it: `color3f`, `texCoord2f[]`, `token` … */
  typeName: string
  /** What holds where no time is asked for; readers without an eye for time see only this. */
  value?: Value
  samples?: Samples
  uniform?: boolean
  interpolation?: 'constant' | 'uniform' | 'vertex' | 'faceVarying'
  /** How many values of a primvar's array make one element; 1 unless given. */
  elementSize?: number
  /** The path of the attribute this one takes its value from. */
  connection?: string
}
export type Relationship = { kind: 'relationship'; name: string; targets: readonly string[] }
export type Property = Attribute | Relationship

/** What a layer or a prim says of itself: `upAxis`, `documentation`, `customData` … */
export type Metadatum = { name: string; value: Value }

/** What stands in a prim, or in one of its variants. */
export type Contents = {
  properties: readonly Property[]
  children: readonly Prim[]
  variantSets?: readonly VariantSet[]
}

/** What one variant says in place of what stands outside: of the prim itself, and of prims below it (`over`). */
export type Variant = { name: string } & Contents
export type VariantSet = { name: string; selected: string; variants: readonly Variant[] }

export type Prim = {
  name: string
  /** Empty for a prim that only says more of one defined elsewhere. */
  typeName: string
  /** `over` says more of a prim that is defined elsewhere; `def`, unless given, defines one. */
  specifier?: 'def' | 'over'
  apiSchemas?: readonly string[]
  metadata?: readonly Metadatum[]
  variantSets?: readonly VariantSet[]
  properties: Property[]
  children: Prim[]
}

/** A whole layer: what it says of the stage, and its top prims. */
export type Layer = { metadata: Metadatum[]; prims: Prim[] }

const storedTypes = new Map<string, string>([
  ['color3f', 'float3'],
  ['normal3f', 'float3'],
  ['color3f[]', 'float3[]'],
  ['point3f[]', 'float3[]'],
  ['normal3f[]', 'float3[]'],
  ['vector3f[]', 'float3[]'],
  ['texCoord2f[]', 'float2[]'],
])

type Extra = Omit<Attribute, 'kind' | 'name' | 'typeName' | 'value'>

/** An attribute with a value of its declared type. */
export function attribute(name: string, typeName: string, value: Value['value'], extra: Extra = {}): Attribute {
  return { kind: 'attribute', name, typeName, value: storedValue(typeName, value), ...extra }
}

/** A value as an attribute of the declared type stores it. */
export const storedValue = (typeName: string, value: Value['value']): Value =>
  ({ type: storedTypes.get(typeName) ?? typeName, value }) as Value

/** An attribute without a value: an output, or an input that is connected. */
export const port = (name: string, typeName: string, connection?: string): Attribute => ({
  kind: 'attribute',
  name,
  typeName,
  ...(connection && { connection }),
})

export const relationship = (name: string, ...targets: string[]): Relationship => ({
  kind: 'relationship',
  name,
  targets,
})
