/** A value and how it is stored. Declared types such as `color3f` or `point3f[]` are stored as their plain counterparts. */
export type Value =
  | { type: 'token' | 'string' | 'asset'; value: string }
  | { type: 'bool'; value: boolean }
  | { type: 'int' | 'float' | 'double'; value: number }
  | { type: 'float2' | 'float3' | 'float4' | 'matrix4d'; value: readonly number[] }
  | { type: 'token[]'; value: readonly string[] }
  | { type: 'int[]'; value: Int32Array | Uint32Array }
  | { type: 'float[]' | 'float2[]' | 'float3[]'; value: Float32Array }

export type Attribute = {
  kind: 'attribute'
  name: string
  /** As USD names it: `color3f`, `texCoord2f[]`, `token` … */
  typeName: string
  value?: Value
  uniform?: boolean
  interpolation?: 'constant' | 'vertex'
  /** The path of the attribute this one takes its value from. */
  connection?: string
}
export type Relationship = { kind: 'relationship'; name: string; target: string }
export type Property = Attribute | Relationship

export type Prim = {
  name: string
  typeName: string
  apiSchemas?: readonly string[]
  properties: Property[]
  children: Prim[]
}

/** A whole layer: what it says of the stage, and its top prims. */
export type Layer = { metadata: { name: string; value: Value }[]; prims: Prim[] }

const stored = new Map<string, string>([
  ['color3f', 'float3'],
  ['normal3f', 'float3'],
  ['color3f[]', 'float3[]'],
  ['point3f[]', 'float3[]'],
  ['normal3f[]', 'float3[]'],
  ['texCoord2f[]', 'float2[]'],
])

type Extra = Omit<Attribute, 'kind' | 'name' | 'typeName' | 'value'>

/** An attribute with a value of its declared type. */
export function attribute(name: string, typeName: string, value: Value['value'], extra: Extra = {}): Attribute {
  const type = stored.get(typeName) ?? typeName
  return { kind: 'attribute', name, typeName, value: { type, value } as Value, ...extra }
}

/** An attribute without a value: an output, or an input that is connected. */
export const port = (name: string, typeName: string, connection?: string): Attribute => ({
  kind: 'attribute',
  name,
  typeName,
  ...(connection && { connection }),
})

export const relationship = (name: string, target: string): Relationship => ({ kind: 'relationship', name, target })
