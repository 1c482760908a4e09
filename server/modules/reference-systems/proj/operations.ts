import type { Pointer, Proj } from './library.ts'
import { areaOf } from './systems.ts'

/** An operation between two reference systems, as registered. */
export type Operation = {
  name: string
  /** Metres; null if not stated. */
  accuracy: number | null
  /** Whether it has no datum shift: the error may be some hundred metres. */
  isBallpark: boolean
  /** File names of its grids. */
  grids: string[]
  /** Grids of a better operation without a value at the place: outside of them, or damaged. */
  without?: string[]
}

/** An operation with its area of use: west, south, east, north in degrees, if registered. */
export type WantedOperation = Operation & { area: readonly number[] | undefined }

export type Found = { coordinates: readonly number[]; operation: Operation }

/** PROJ_GRID_AVAILABILITY_USE of proj.h. */
const DISCARD_WITHOUT_GRIDS = 1
const AS_IF_ALL_GRIDS_WERE_THERE = 3
const PARTIAL_INTERSECTION = 1
/** PROJ_INTERMEDIATE_CRS_USE_NEVER */
const NO_INTERMEDIATE = 2
/** Sorts after every stated accuracy. */
const UNKNOWN = 1e9
const CONVERSION = 21
const CONCATENATED = 23

export type Transformation = ReturnType<typeof transformation>

/** Lists the operations between two systems, best first, with the installed grids or as if all were. @returns 0 if there is none */
function operationList(proj: Proj, source: Pointer, target: Pointer, grids: number): Pointer {
  const { context } = proj
  const look = (...limits: [name: string, value: number][]): Pointer => {
    const factory = proj.number('proj_create_operation_factory_context', context, 0)
    const set = (what: string, value: number) =>
      proj.run(`proj_operation_factory_context_set_${what}`, context, factory, value)
    set('spatial_criterion', PARTIAL_INTERSECTION)
    set('grid_availability_use', grids)
    for (const [what, value] of limits) set(what, value)
    const list = proj.number('proj_create_operations', context, source, target, factory)
    proj.run('proj_operation_factory_context_destroy', factory)
    return list
  }
  // Some operations over a third system crash this build of PROJ; direct ones and those over ETRS89 do not.
  const overEtrs89 = (): Pointer =>
    withTexts(proj, ['EPSG', '4258'], (list) => look(['allowed_intermediate_crs', list]))
  return look() || overEtrs89() || look(['allow_use_intermediate_crs', NO_INTERMEDIATE])
}

/** Passes a null-terminated list of C strings to a function. */
function withTexts<T>({ module }: Proj, texts: string[], use: (list: Pointer) => T): T {
  const bytes = texts.map((text) => Buffer.from(`${text}\0`))
  const list = module._malloc((texts.length + 1) * 4)
  const places = bytes.map((text) => module._malloc(text.length))
  for (const [i, text] of bytes.entries()) module.HEAPU8.set(text, places[i]!)
  new DataView(module.HEAPU8.buffer).setUint32(list + places.length * 4, 0, true)
  for (const [i, place] of places.entries()) new DataView(module.HEAPU8.buffer).setUint32(list + i * 4, place, true)
  try {
    return use(list)
  } finally {
    for (const place of [...places, list]) module._free(place)
  }
}

function operationsIn(proj: Proj, list: Pointer): { pointer: Pointer; operation: Operation }[] {
  const count = list === 0 ? 0 : proj.number('proj_list_get_count', list)
  return Array.from({ length: count }, (_, index) => {
    const pointer = proj.number('proj_list_get', proj.context, list, index)
    return { pointer, operation: operationAt(proj, pointer) }
  })
}

export function operationAt(proj: Proj, pointer: Pointer): Operation {
  const { context } = proj
  const isBallpark = proj.number('proj_coordoperation_has_ballpark_transformation', context, pointer) === 1
  const count = Math.max(0, proj.number('proj_coordoperation_get_grid_used_count', context, pointer))
  const grids = Array.from({ length: count }, (_, index) => {
    const kinds = ['text', 'text', 'text', 'text', 'i32', 'i32', 'i32'] as const
    return String(proj.outputs('proj_coordoperation_get_grid_used', [context, pointer, index], kinds)?.[0] ?? '')
  })
  return {
    name: proj.text('proj_get_name', pointer) ?? 'unnamed',
    accuracy: isBallpark ? null : accuracyOf(proj, pointer),
    isBallpark,
    grids: grids.filter(Boolean),
  }
}

/** A conversion within one datum has no error; PROJ states no accuracy for it. */
function accuracyOf(proj: Proj, pointer: Pointer): number | null {
  const stated = proj.module.ccall(
    'proj_coordoperation_get_accuracy',
    'number',
    ['number', 'number'],
    [proj.context, pointer],
  ) as number
  if (stated >= 0) return stated
  return isConversion(proj, pointer) ? 0 : null
}

function isConversion(proj: Proj, pointer: Pointer): boolean {
  const type = proj.number('proj_get_type', pointer)
  if (type === CONVERSION) return true
  if (type !== CONCATENATED) return false
  const count = proj.number('proj_concatoperation_get_step_count', proj.context, pointer)
  return Array.from({ length: count }).every((_, index) => {
    const step = proj.number('proj_concatoperation_get_step', proj.context, pointer, index)
    const isOne = proj.number('proj_get_type', step) === CONVERSION
    proj.run('proj_destroy', step)
    return isOne
  })
}

/**
 * Transforms between two systems, point by point like `proj_create_crs_to_crs`: uses the operation whose area has the
 * point, otherwise the first that gives coordinates without a grid.
 */
export function transformation(proj: Proj, source: Pointer, target: Pointer) {
  const { module, context } = proj
  const list = operationList(proj, source, target, DISCARD_WITHOUT_GRIDS)
  const all = operationsIn(proj, list)
  const place = module._malloc(4 * 8)

  function at(operation: Pointer, direction: 1 | -1, values: readonly number[]): number[] | undefined {
    const from = place / 8
    module.HEAPF64.set([values[0]!, values[1]!, values[2] ?? 0, Number.POSITIVE_INFINITY], from)
    module._proj_trans_array(operation, direction, 1, place)
    const found = [...module.HEAPF64.subarray(from, from + 3)]
    return found.every(Number.isFinite) ? found : undefined
  }

  function suggested(direction: 1 | -1, values: readonly number[]): number {
    if (all.length === 1) return 0
    module.HEAPF64.set([values[0]!, values[1]!, values[2] ?? 0, Number.POSITIVE_INFINITY], place / 8)
    return module._proj_get_suggested_operation(context, list, direction, place)
  }

  function through(direction: 1 | -1, values: readonly number[]): Found | undefined {
    const best = all[suggested(direction, values)]
    const found = best && at(best.pointer, direction, values)
    if (found) return { coordinates: found, operation: best.operation }
    for (const { pointer, operation } of all) {
      const other = operation.grids.length === 0 && at(pointer, direction, values)
      if (other)
        return { coordinates: other, operation: best ? { ...operation, without: best.operation.grids } : operation }
    }
    return undefined
  }

  return {
    /** All operations that can be used with the installed grids. */
    operations: all.map(({ operation }) => operation),

    /** Transforms coordinates in the units and the order of the systems' axes; undefined if no operation applies. */
    forward: (values: readonly number[]): Found | undefined => through(1, values),
    inverse: (values: readonly number[]): Found | undefined => through(-1, values),

    /** Operations that need a missing grid, most accurate first. */
    missing(): WantedOperation[] {
      const wanted = operationList(proj, source, target, AS_IF_ALL_GRIDS_WERE_THERE)
      const found = operationsIn(proj, wanted).map(({ pointer, operation }) => {
        const area = areaOf(proj, pointer)
        proj.run('proj_destroy', pointer)
        return { ...operation, area }
      })
      if (wanted) proj.run('proj_list_destroy', wanted)
      const usable = new Set(all.map(({ operation }) => operation.name))
      return found
        .filter(({ name, grids, isBallpark }) => grids.length > 0 && !isBallpark && !usable.has(name))
        .sort((a, b) => (a.accuracy ?? UNKNOWN) - (b.accuracy ?? UNKNOWN))
    },

    close(): void {
      for (const { pointer } of all) proj.run('proj_destroy', pointer)
      if (list) proj.run('proj_list_destroy', list)
      module._free(place)
    },
  }
}
