/**
 * A value with its storage type. Declared types such as `color3f` or `point3f[]` are stored as their plain
 * counterparts. Arrays are flat: a quaternion is x y z w, a matrix is in row order.
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
  /** No value: those of weaker layers do not count. */
  | { type: 'block'; value: undefined }

/** Time samples: ascending time codes with one value each. Attributes that share the array of times store it once. */
export type Samples = { times: readonly number[]; values: readonly Value[] }

export type Attribute = {
  kind: 'attribute'
  name: string
  /** The USD type name: `color3f`, `texCoord2f[]`, `token` … */
  typeName: string
  /** The default value; readers without animation use only this. */
  value?: Value
  samples?: Samples
  uniform?: boolean
  interpolation?: 'constant' | 'uniform' | 'vertex' | 'faceVarying'
  /** The number of values per element of a primvar; 1 by default. */
  elementSize?: number
  /** The colour space of the value, or of the image it names. */
  colorSpace?: string
  /** The path of the attribute that supplies the value; null where that of weaker layers does not count. */
  connection?: string | null
}
export type Relationship = {
  kind: 'relationship'
  name: string
  targets: readonly string[]
  /** Whether the targets are added to those of weaker layers, and which of those are removed. */
  edits?: { deleted: readonly string[] }
  /** How strong a binding of a material is. */
  bindMaterialAs?: string
}
export type Property = Attribute | Relationship

/** Metadata of a layer or prim: `upAxis`, `documentation`, `customData` … */
export type Metadatum = { name: string; value: Value }

/** The contents of a prim or variant. */
export type Contents = {
  properties: readonly Property[]
  children: readonly Prim[]
  variantSets?: readonly VariantSet[]
}

/** The opinions of a variant about its prim and descendants (`over`). */
export type Variant = {
  name: string
  metadata?: readonly Metadatum[]
  selections?: readonly (readonly [set: string, variant: string])[]
} & Contents
export type VariantSet = { name: string; selected: string; variants: readonly Variant[] }

export type Prim = {
  name: string
  /** Empty for an `over`. */
  typeName: string
  /** `over` extends a prim defined elsewhere; `def` (default) defines one. */
  specifier?: 'def' | 'over'
  apiSchemas?: readonly string[]
  metadata?: readonly Metadatum[]
  variantSets?: readonly VariantSet[]
  /** The selected variants of sets that other layers have. */
  selections?: readonly (readonly [set: string, variant: string])[]
  properties: Property[]
  children: Prim[]
}

/** A layer: stage metadata and root prims. */
export type Layer = {
  metadata: Metadatum[]
  prims: Prim[]
  /** What properties target outside the layer, such as prims of a reference. */
  otherPaths?: readonly string[]
}

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

/** Creates an attribute with a value. */
export function attribute(name: string, typeName: string, value: Value['value'], extra: Extra = {}): Attribute {
  return { kind: 'attribute', name, typeName, value: storedValue(typeName, value), ...extra }
}

/** Returns a value in the storage type of the declared type. */
export const storedValue = (typeName: string, value: Value['value']): Value =>
  ({ type: storedTypes.get(typeName) ?? typeName, value }) as Value

/** Creates an attribute without a value: an output or a connected input. */
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

/** Creates a Shader prim with the id of its implementation. */
export const shader = (name: string, id: string, properties: Property[]): Prim => ({
  name,
  typeName: 'Shader',
  properties: [attribute('info:id', 'token', id, { uniform: true }), ...properties],
  children: [],
})
