import { typeCode } from '../../usd/crate/types.ts'

const precisions = { h: 'half', f: 'float', d: 'double' } as const
const roles = { 2: ['texCoord'], 3: ['texCoord', 'point', 'vector', 'normal', 'color'], 4: ['color'] } as const

/** Type numbers of declared attribute types. Source: OpenUSD pxr/usd/sdf/schema.cpp, the list of value types. */
const codes = new Map<string, number>([
  ...Object.entries(typeCode),
  ['timecode', typeCode.timeCode],
  ['frame4d', typeCode.matrix4d],
  ...Object.entries(roles).flatMap(([size, names]) =>
    names.flatMap((name) =>
      Object.entries(precisions).map(
        ([letter, precision]) =>
          [`${name}${size}${letter}`, typeCode[`${precision}${size}` as keyof typeof typeCode]] as const,
      ),
    ),
  ),
])

/** Returns the storage type of a declared type ("color3f[]"); undefined for unknown types. */
export function storedAs(typeName: string): { code: number; array: boolean } | undefined {
  const array = typeName.endsWith('[]')
  const code = codes.get(array ? typeName.slice(0, -2) : typeName)
  return code === undefined ? undefined : { code, array }
}
