import type { Samples, Value } from '../prim.ts'
import { ArrayWriter } from './arrays.ts'
import type { ByteParts } from './byte-parts.ts'
import type { Tokens } from './tokens.ts'
import { arrayFlag, inlineValue, typeCode, type ValueRep, valueAtOffset } from './types.ts'

/** List operations: replace the whole list ("explicit"), or prepend items. */
const explicitItems = 0x03
const prependedItems = 0x20
const deletedItems = 0x08
/** The relative offset of a nested value, which directly follows. */
const rightBehind = 8

/** Writes values in sequence and returns their representations. Equal values are written once. */
export class ValueWriter {
  readonly #file: ByteParts
  readonly #tokens: Tokens
  readonly #arrays: ArrayWriter
  readonly #small = new Map<string, ValueRep>()
  readonly #times = new Map<readonly number[], ValueRep>()

  constructor(file: ByteParts, tokens: Tokens) {
    this.#file = file
    this.#tokens = tokens
    this.#arrays = new ArrayWriter(file)
  }

  write(value: Value): ValueRep {
    switch (value.type) {
      case 'token':
      case 'asset':
        return inlineValue(typeCode[value.type], this.#tokens.token(value.value))
      case 'string':
        return inlineValue(typeCode.string, this.#tokens.string(value.value))
      case 'bool':
        return inlineValue(typeCode.bool, value.value ? 1 : 0)
      case 'int':
        return inlineValue(typeCode.int, value.value)
      case 'float':
        return inlineValue(typeCode.float, floatBits(value.value))
      case 'double':
        return this.#double(value.value)
      case 'token[]':
        return this.#tokenList(typeCode.token, value.value, arrayFlag)
      case 'block':
        return inlineValue(typeCode.valueBlock, 0)
      case 'dictionary':
        return this.#dictionary(value.value)
      case 'matrix4d':
        return this.#once(`matrix4d ${value.value}`, typeCode.matrix4d, 0, 8, () => {
          for (const number of value.value) this.#file.f64(number)
        })
      case 'float2':
      case 'float3':
      case 'float4':
      case 'quatf':
        return this.#once(`${value.type} ${value.value}`, typeCode[value.type], 0, 4, () => {
          for (const number of value.value) this.#file.f32(number)
        })
      default:
        return this.#arrays.write(value.type, value.value)
    }
  }

  /**
   * Writes time samples: the times, then the list of value representations. Source: OpenUSD crateFile.cpp, the writing
   * of TimeSamples.
   */
  samples({ times, values }: Samples): ValueRep {
    const reps = values.map((value) => this.write(value))
    const timesRep = this.#timeCodes(times)
    this.#file.align(8)
    const rep = valueAtOffset(typeCode.timeSamples, this.#file.length, 0)
    this.#nested(timesRep)
    this.#file.u64(rightBehind)
    this.#file.u64(reps.length)
    for (const { low, high } of reps) {
      this.#file.u32(low)
      this.#file.u32(high)
    }
    return rep
  }

  /** Writes an ordered list of names: the children or properties of a prim. */
  names(names: readonly string[]): ValueRep {
    return this.#tokenList(typeCode.tokenVector, names, 0)
  }

  /** Whether a prim is defined (`def`) or extends one defined elsewhere (`over`). */
  specifier(specifier: 'def' | 'over'): ValueRep {
    return inlineValue(typeCode.specifier, specifier === 'def' ? 0 : 1)
  }

  uniform(): ValueRep {
    return inlineValue(typeCode.variability, 1)
  }

  prepended(tokens: readonly string[]): ValueRep {
    const indices = tokens.map((token) => this.#tokens.token(token))
    return this.#listOp('prepend', typeCode.tokenListOp, prependedItems, indices)
  }

  /** Writes the names of a prim's variant sets. */
  prependedStrings(strings: readonly string[]): ValueRep {
    const indices = strings.map((text) => this.#tokens.string(text))
    return this.#listOp('strings', typeCode.stringListOp, prependedItems, indices)
  }

  paths(indices: readonly number[]): ValueRep {
    return this.#listOp('paths', typeCode.pathListOp, explicitItems, indices)
  }

  /** Writes paths that are put before those of weaker layers, and paths that are removed from them. */
  pathEdits(prepended: readonly number[], deleted: readonly number[]): ValueRep {
    return this.#once(`edits ${prepended} - ${deleted}`, typeCode.pathListOp, 0, 8, () => {
      this.#file.u8(prependedItems | deletedItems)
      this.#list(prepended)
      this.#list(deleted)
    })
  }

  /** Writes the selected variant of each set. */
  selections(selections: readonly (readonly [string, string])[]): ValueRep {
    const indices = selections.flatMap((pair) => pair.map((text) => this.#tokens.string(text)))
    return this.#once(`select ${indices}`, typeCode.variantSelectionMap, 0, 8, () => {
      this.#file.u64(selections.length)
      for (const index of indices) this.#file.u32(index)
    })
  }

  #double(value: number): ValueRep {
    if (Math.fround(value) === value) return inlineValue(typeCode.double, floatBits(value))
    return this.#once(`double ${value}`, typeCode.double, 0, 8, () => this.#file.f64(value))
  }

  #dictionary(entries: Readonly<Record<string, Value>>): ValueRep {
    const reps = Object.entries(entries).map(([key, value]) => [this.#tokens.string(key), this.write(value)] as const)
    this.#file.align(8)
    const rep = valueAtOffset(typeCode.dictionary, this.#file.length, 0)
    this.#file.u64(reps.length)
    for (const [key, value] of reps) {
      this.#file.u32(key)
      this.#nested(value)
    }
    return rep
  }

  /** Writes a nested value. */
  #nested({ low, high }: ValueRep): void {
    this.#file.u64(rightBehind)
    this.#file.u32(low)
    this.#file.u32(high)
  }

  /** Attributes with the same keys usually share the array; equal arrays are found by value. */
  #timeCodes(times: readonly number[]): ValueRep {
    const known = this.#times.get(times)
    if (known) return known
    const rep = this.#once(`times ${times}`, typeCode.doubleVector, 0, 8, () => {
      this.#file.u64(times.length)
      for (const time of times) this.#file.f64(time)
    })
    this.#times.set(times, rep)
    return rep
  }

  #tokenList(code: number, tokens: readonly string[], flags: number): ValueRep {
    const indices = tokens.map((token) => this.#tokens.token(token))
    if (tokens.length === 0 && flags !== 0) return valueAtOffset(code, 0, flags)
    return this.#once(`${code} ${indices}`, code, flags, 8, () => this.#list(indices))
  }

  #listOp(kind: string, code: number, operation: number, indices: readonly number[]): ValueRep {
    return this.#once(`${kind} ${indices}`, code, 0, 8, () => {
      this.#file.u8(operation)
      this.#list(indices)
    })
  }

  #list(indices: readonly number[]): void {
    this.#file.u64(indices.length)
    for (const index of indices) this.#file.u32(index)
  }

  #once(key: string, code: number, flags: number, alignment: number, write: () => void): ValueRep {
    const known = this.#small.get(key)
    if (known) return known
    this.#file.align(alignment)
    const rep = valueAtOffset(code, this.#file.length, flags)
    this.#small.set(key, rep)
    write()
    return rep
  }
}

const floatBits = (value: number): number => {
  const view = new DataView(new ArrayBuffer(4))
  view.setFloat32(0, value)
  return view.getUint32(0)
}
