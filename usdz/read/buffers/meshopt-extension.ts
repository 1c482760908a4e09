import { isObject, type JsonObject } from '../json.ts'

/** Ratified as KHR_meshopt_compression; models written before have the other name. The members are the same. */
const names = ['KHR_meshopt_compression', 'EXT_meshopt_compression']

/** What an object (a buffer or a buffer view) says about meshopt compression, under either name. */
export function meshoptOf({ extensions }: JsonObject): JsonObject | undefined {
  if (!isObject(extensions)) return undefined
  return names.map((name) => extensions[name]).find(isObject)
}
