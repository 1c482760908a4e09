import { type Crate, type Rep, readCrate } from '../layers/read-crate.ts'
import {
  floatsOf,
  integersOf,
  numberOf,
  pathsOf,
  samplesOf,
  textOf,
  tokensOf,
  vectorOf,
} from '../layers/read-values.ts'
import { readZip } from '../layers/read-zip.ts'
import { buildStage, type StagePrim } from '../layers/stage.ts'

/** An open package for inspection: its files, its prims and the values of their attributes ("/Root/Box.points"). */
export function openUsdz(usdz: Uint8Array) {
  const files = readZip(usdz)
  const stage = buildStage(readCrate(files[0]!.data))
  const { crate } = stage
  const prims = new Map(stage.prims.map((prim) => [prim.path, prim]))
  const property = (path: string) => {
    const dot = path.lastIndexOf('.')
    return prims.get(path.slice(0, dot))?.own.get(path.slice(dot + 1))
  }
  const read = <T>(path: string, decode: (crate: Crate, rep: Rep | undefined) => T | undefined) =>
    decode(crate, property(path)?.value)
  const pathOf = (number: number | undefined) => (number === undefined ? undefined : crate.paths.text(number))
  return {
    files,
    stage: { crate, prims },
    prims: (type: string): StagePrim[] => stage.prims.filter((prim) => prim.type === type),
    prim: (path: string) => prims.get(path),
    metadata: (name: string) => stage.metadata.get(name),
    text: (path: string) => read(path, textOf),
    number: (path: string) => read(path, numberOf),
    integers: (path: string) => read(path, integersOf),
    floats: (path: string) => read(path, floatsOf),
    vector: (path: string) => read(path, vectorOf),
    tokens: (path: string) => read(path, tokensOf),
    paths: (path: string) => read(path, pathsOf),
    /** Times and values over time, each value decoded by `decode`. */
    samples: <T>(path: string, decode: (crate: Crate, rep: Rep) => T) => {
      const found = samplesOf(crate, property(path)?.samples)
      return found && { times: found.times, values: found.values.map((rep) => decode(crate, rep)) }
    },
    connection: (path: string) => pathOf(property(path)?.connections[0]),
    target: (path: string) => pathOf(property(path)?.targets[0]),
    matrix: (path: string) => read(path, vectorOf),
  }
}
