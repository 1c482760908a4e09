import { isObject, type JsonObject } from '../json.ts'

/** Ratified as KHR_meshopt_compression; older models use the EXT name. The members are the same. */
const names = ['KHR_meshopt_compression', 'EXT_meshopt_compression']

/** Returns the meshopt extension of a buffer or buffer view, under either name. */
export function meshoptOf({ extensions }: JsonObject): JsonObject | undefined {
  if (!isObject(extensions)) return undefined
  return names.map((name) => extensions[name]).find(isObject)
}
